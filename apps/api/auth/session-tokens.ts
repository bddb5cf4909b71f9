import { createHmac, timingSafeEqual } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';

import { CLOCK, type Clock, isUuid } from '#platform';

import { derivedKey, SessionKeys } from './session-keys.js';

/** Loaded by the first session: a start that serves keys alone does without. */
const loadJose = () => import('jose');

const ISSUER = 'footnote';
const AUDIENCE = 'footnote-session';
const TYPE = 'footnote-session+jwt';

/**
 * A cookie counts for so long after it was given out: who is away longer signs in again. NIST SP
 * 800-63B-4, AAL2.
 */
export const IDLE_MS = 60 * 60_000;
/** A session ends so long after its sign-in, however busy. Likewise. */
export const SESSION_MS = 24 * 60 * 60_000;

/** A session as its cookie shows it. */
export interface Session {
  readonly sessionId: string;
  readonly userId: string;
  readonly tenantId: string;
  /**
   * Epoch of the person's sessions when this one began: sessions of an earlier epoch than the
   * person's have ended.
   */
  readonly epoch: number;
  /** Latest end of the session, milliseconds since the epoch. */
  readonly endsAt: number;
}

/** A session, and when the token that names it was issued. */
export interface VerifiedSession {
  readonly session: Session;
  readonly issuedAt: number;
}

/** Sessions as signed tokens, and the tokens that their unsafe requests must echo. */
@Injectable()
export class SessionTokens {
  private loaded: ReturnType<typeof loadJose> | undefined;

  constructor(
    private readonly keys: SessionKeys,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async sign(session: Session): Promise<string> {
    const now = this.clock.now().getTime();
    const { SignJWT } = await this.jose();
    return new SignJWT({
      sid: session.sessionId,
      tid: session.tenantId,
      epoch: session.epoch,
      end: seconds(session.endsAt),
    })
      .setProtectedHeader({ alg: 'HS256', typ: TYPE })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(session.userId)
      .setIssuedAt(seconds(now))
      .setExpirationTime(seconds(Math.min(now + IDLE_MS, session.endsAt)))
      .sign(await this.keys.newest());
  }

  /** @returns null for whatever is no token of ours in force, without saying why. */
  async verify(token: string): Promise<VerifiedSession | null> {
    const { errors, jwtVerify } = await this.jose();
    const currentDate = this.clock.now();
    for (const key of await this.keys.all()) {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ['HS256'],
          issuer: ISSUER,
          audience: AUDIENCE,
          typ: TYPE,
          requiredClaims: ['sub', 'iat', 'exp', 'sid', 'tid', 'epoch', 'end'],
          currentDate,
        });
        return sessionOf(payload, currentDate.getTime());
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error;
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) return null;
      }
    }
    return null;
  }

  /**
   * Returns the value that unsafe requests of a session echo in `X-CSRF-Token`. It is derived from
   * the session, so that no other session's value is accepted.
   */
  async csrfOf(sessionId: string): Promise<string> {
    return csrf(await this.keys.newest(), sessionId);
  }

  async isCsrfOf(sessionId: string, given: string): Promise<boolean> {
    const token = Buffer.from(given);
    return (await this.keys.all()).some((key) => {
      const right = Buffer.from(csrf(key, sessionId));
      return right.length === token.length && timingSafeEqual(right, token);
    });
  }

  private jose(): ReturnType<typeof loadJose> {
    this.loaded ??= loadJose();
    return this.loaded;
  }
}

function csrf(secret: Uint8Array, sessionId: string): string {
  return createHmac('sha256', derivedKey(secret, 'csrf')).update(sessionId).digest('base64url');
}

function sessionOf(
  payload: Readonly<Record<string, unknown>>,
  now: number,
): VerifiedSession | null {
  const { sub, sid, tid, epoch, end, iat } = payload;
  if (typeof sub !== 'string' || typeof sid !== 'string' || typeof tid !== 'string') return null;
  if (!isUuid(sub) || !isUuid(sid)) return null;
  if (typeof epoch !== 'number' || typeof end !== 'number' || typeof iat !== 'number') return null;
  const endsAt = end * 1_000;
  if (endsAt <= now) return null;
  return {
    session: { sessionId: sid, userId: sub, tenantId: tid, epoch, endsAt },
    issuedAt: iat * 1_000,
  };
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
