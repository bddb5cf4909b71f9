import { createHash, randomBytes } from 'node:crypto';

/** Lifetime of a link. */
export const INVITATION_LASTS_MS = 7 * 24 * 3_600_000;

const TOKEN =
  /^fni_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_[A-Za-z0-9_-]{43}$/;

/**
 * Returns the token of a one-time link: `fni_`, the invitation's id, 32 random bytes. Only its
 * digest is stored.
 */
export function newInvitationToken(invitationId: string): string {
  return `fni_${invitationId.replaceAll('-', '')}_${randomBytes(32).toString('base64url')}`;
}

/** Returns the id that a token names; null for any other text. */
export function invitationIdOf(token: string): string | null {
  const parts = TOKEN.exec(token)?.slice(1);
  return parts ? parts.join('-') : null;
}

/** SHA-256, lower-case hex: there is nothing to guess in 256 random bits. */
export function tokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
