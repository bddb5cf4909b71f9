import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { signWebhook } from '#platform';

export type HookProvider = 'github' | 'gitlab' | 'gitea';

/** A delivery whose sender knows the secret. */
export interface SignedDelivery {
  readonly provider: HookProvider;
  /**
   * The same for a repetition of this delivery, and part of the signed data wherever the provider
   * signs. GitHub and Gitea sign the body and not their delivery ids: an observer of a delivery
   * could send it again under another id.
   */
  readonly deliveryId: string;
}

/** Maximum age of a delivery, and maximum error of the sender's clock, where the time is signed. */
const TOLERANCE_MS = 5 * 60_000;

/**
 * Verifies that a delivery is signed with the secret, in a time that does not depend on the error.
 * The first kind of signature that is present decides; a second one does not rescue it.
 * - `X-Forgejo-Signature`, `X-Gitea-Signature`: HMAC-SHA256 of the body, hex
 * - `X-Hub-Signature-256` (GitHub): `sha256=` and the same
 * - `webhook-signature` (GitLab's signing token, Standard Webhooks): `v1,` and base64 of an
 *   HMAC-SHA256 of id, time and body. Its key is the bytes that follow `whsec_` in the secret.
 * - `X-Gitlab-Token`: the secret itself
 * @returns null for an invalid signature.
 */
export function verifyDelivery(
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  secret: string,
  now: Date,
): SignedDelivery | null {
  const header = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  const mac = createHmac('sha256', secret).update(body).digest('hex');
  const content = `body:${createHash('sha256').update(body).digest('hex')}`;
  const gitea = header('x-forgejo-signature') ?? header('x-gitea-signature');
  if (gitea !== undefined)
    return isSame(gitea.toLowerCase(), mac) ? { provider: 'gitea', deliveryId: content } : null;
  const github = header('x-hub-signature-256');
  if (github !== undefined) {
    return isSame(github.toLowerCase(), `sha256=${mac}`)
      ? { provider: 'github', deliveryId: content }
      : null;
  }
  const standard = header('webhook-signature');
  if (standard !== undefined) {
    const [id, timestamp] = [header('webhook-id') ?? '', header('webhook-timestamp') ?? ''];
    if (id === '' || !isRecent(timestamp, now)) return null;
    const wanted = signWebhook(secret, { id, timestamp }, body);
    // A sender that changes its key signs with both.
    const fits = standard.split(' ').map((each) => isSame(each, wanted));
    return fits.includes(true) ? { provider: 'gitlab', deliveryId: `id:${id}` } : null;
  }
  const token = header('x-gitlab-token');
  if (token === undefined || !isSame(token, secret)) return null;
  const id = header('idempotency-key') ?? header('x-gitlab-event-uuid');
  return { provider: 'gitlab', deliveryId: id === undefined ? content : `id:${id}` };
}

/**
 * Reports whether the head alone shows that a delivery is not signed with the secret. That is an
 * older GitLab's token, which covers no body, or a signed time that is too old or malformed. False
 * where the body decides.
 */
export function refutesSignature(headers: IncomingHttpHeaders, secret: string, now: Date): boolean {
  const first = SIGNATURE_HEADERS.find((name) => typeof headers[name] === 'string');
  if (first === 'x-gitlab-token') return !isSame(String(headers[first]), secret);
  if (first !== 'webhook-signature') return false;
  const [id, timestamp] = [headers['webhook-id'], headers['webhook-timestamp']];
  return typeof id !== 'string' || typeof timestamp !== 'string' || !isRecent(timestamp, now);
}

/** Returns whether a request claims to be signed at all. */
export function hasSignature(headers: IncomingHttpHeaders): boolean {
  return SIGNATURE_HEADERS.some((name) => typeof headers[name] === 'string');
}

const SIGNATURE_HEADERS = [
  'x-forgejo-signature',
  'x-gitea-signature',
  'x-hub-signature-256',
  'webhook-signature',
  'x-gitlab-token',
] as const;

/** Compares digests of both, which are of one length whatever was sent. */
function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(digest(given), digest(wanted));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function isRecent(seconds: string, now: Date): boolean {
  return (
    /^\d{1,12}$/.test(seconds) && Math.abs(Number(seconds) * 1_000 - now.getTime()) <= TOLERANCE_MS
  );
}
