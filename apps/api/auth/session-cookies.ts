import '@fastify/cookie';

import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Config } from '#platform';

import { CONFIG } from '../engines/engines.js';

/** Longest cookie header that is looked at, characters; Node takes 16 KiB of headers. */
const MAX_HEADER = 8_192;

/**
 * The two cookies of a session: the token, which no script can read, and the CSRF token, which the
 * page's own script reads and echoes. Where the service is reached over https, their names have the
 * prefix `__Host-`, which browsers let nobody but this very host set.
 */
@Injectable()
export class SessionCookies {
  private readonly secure: boolean;
  readonly sessionName: string;
  readonly csrfName: string;

  constructor(@Inject(CONFIG) config: Pick<Config, 'http'>) {
    this.secure = config.http.publicUrl?.startsWith('https:') ?? false;
    const prefix = this.secure ? '__Host-' : '';
    this.sessionName = `${prefix}footnote_session`;
    this.csrfName = `${prefix}footnote_csrf`;
  }

  /** The session's token that a request carries, or null. */
  tokenOf(request: FastifyRequest): string | null {
    const { cookie } = request.headers;
    if (cookie === undefined || cookie.length > MAX_HEADER || !cookie.includes(this.sessionName))
      return null;
    return request.server.parseCookie(cookie)[this.sessionName] || null;
  }

  set(reply: FastifyReply, token: string, csrf: string, maxAgeMs: number): void {
    this.give(reply, token, csrf, Math.max(0, Math.floor(maxAgeMs / 1_000)));
  }

  clear(reply: FastifyReply): void {
    this.give(reply, '', '', 0);
  }

  private give(reply: FastifyReply, token: string, csrf: string, maxAge: number): void {
    const options = { path: '/', sameSite: 'lax', secure: this.secure, maxAge } as const;
    void reply.setCookie(this.sessionName, token, { ...options, httpOnly: true });
    void reply.setCookie(this.csrfName, csrf, options);
  }
}
