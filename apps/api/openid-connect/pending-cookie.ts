import '@fastify/cookie';

import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { CLOCK, type Clock, type Config } from '#platform';

import { derivedKey, SessionKeys } from '../auth/session-keys.js';
import { CONFIG } from '../engines/engines.js';
import type { PendingSignIn } from './provider/identity-provider.port.js';

/** A sign-in that a browser has begun, and where it goes afterwards. */
export interface BegunSignIn extends PendingSignIn {
  readonly returnTo: string;
}

/** Loaded by the first sign-in: a service without a provider does without. */
const loadJose = () => import('jose');

/** Time limit of a sign-in at the provider. */
const LASTS_SECONDS = 600;
const MAX_HEADER = 8_192;
const AUDIENCE = 'footnote-sign-in';
const PURPOSE = 'openid-connect sign-in';

/**
 * Stores a begun sign-in in the browser that began it, for ten minutes: encrypted, unreadable for
 * scripts, and bound to this very host over https. An answer of the provider counts in that browser
 * alone.
 */
@Injectable()
export class PendingCookie {
  private readonly secure: boolean;
  private readonly name: string;

  constructor(
    private readonly keys: SessionKeys,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) config: Pick<Config, 'http'>,
  ) {
    this.secure = config.http.publicUrl?.startsWith('https:') ?? false;
    this.name = `${this.secure ? '__Host-' : ''}footnote_sign_in`;
  }

  async set(
    reply: FastifyReply,
    { state, nonce, codeVerifier, returnTo }: BegunSignIn,
  ): Promise<void> {
    const now = Math.floor(this.clock.now().getTime() / 1_000);
    const { EncryptJWT } = await loadJose();
    const token = await new EncryptJWT({
      state,
      nonce,
      code_verifier: codeVerifier,
      return_to: returnTo,
    })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setAudience(AUDIENCE)
      .setIssuedAt(now)
      .setExpirationTime(now + LASTS_SECONDS)
      .encrypt(derivedKey(await this.keys.newest(), PURPOSE));
    this.give(reply, token, LASTS_SECONDS);
  }

  /**
   * Returns the sign-in that the browser began, and removes it from the browser.
   *
   * @returns null where it began nothing, or too long ago.
   */
  async take(request: FastifyRequest, reply: FastifyReply): Promise<BegunSignIn | null> {
    const { cookie } = request.headers;
    if (cookie === undefined || cookie.length > MAX_HEADER) return null;
    const token = request.server.parseCookie(cookie)[this.name];
    if (!token) return null;
    this.give(reply, '', 0);
    for (const key of await this.keys.all()) {
      const begun = await this.opened(token, derivedKey(key, PURPOSE));
      if (begun) return begun;
    }
    return null;
  }

  private async opened(token: string, key: Uint8Array): Promise<BegunSignIn | null> {
    const { errors, jwtDecrypt } = await loadJose();
    try {
      const { payload } = await jwtDecrypt(token, key, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
        audience: AUDIENCE,
        requiredClaims: ['exp'],
        currentDate: this.clock.now(),
      });
      const { state, nonce, code_verifier: codeVerifier, return_to: returnTo } = payload;
      if (typeof state !== 'string' || typeof nonce !== 'string') return null;
      if (typeof codeVerifier !== 'string' || typeof returnTo !== 'string') return null;
      return { state, nonce, codeVerifier, returnTo };
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }

  private give(reply: FastifyReply, value: string, maxAge: number): void {
    const options = {
      path: '/',
      sameSite: 'lax',
      secure: this.secure,
      httpOnly: true,
      maxAge,
    } as const;
    void reply.setCookie(this.name, value, options);
  }
}
