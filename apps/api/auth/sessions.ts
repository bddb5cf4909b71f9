import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { FootnoteError } from '#contracts';
import { CLOCK, type Clock } from '#platform';

import { ErasedTenants } from './erased-tenants.js';
import { KnownUsers } from './known-users.js';
import type { UserPrincipal } from './principal.js';
import { ROLE_SCOPES } from './role-scopes.js';
import { SessionCookies } from './session-cookies.js';
import { IDLE_MS, type Session, SessionTokens, type VerifiedSession } from './session-tokens.js';

/** A token that is older is replaced by any request that sends it. */
const RENEWED_AFTER_MS = 10 * 60_000;
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Sessions from the cookies of requests. */
@Injectable()
export class Sessions {
  private readonly verified = new WeakMap<FastifyRequest, Promise<VerifiedSession | null>>();

  constructor(
    private readonly users: KnownUsers,
    private readonly erased: ErasedTenants,
    private readonly tokens: SessionTokens,
    private readonly cookies: SessionCookies,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  get ready(): boolean {
    return this.users.ready && this.erased.ready;
  }

  get hasCaughtUp(): boolean {
    return this.users.projection.hasCaughtUp;
  }

  carriesSession(request: FastifyRequest): boolean {
    return this.cookies.tokenOf(request) !== null;
  }

  /**
   * Returns the principal of a request's session by its cookie alone; null without a valid session.
   * Costs one HMAC.
   */
  async principalIn(request: FastifyRequest): Promise<UserPrincipal | null> {
    const claims = await this.claimsOf(request);
    return claims && this.principalOf(claims.session);
  }

  /**
   * Returns the principal of a request's session; null without a valid session. Renews its cookie
   * when that is due.
   * @throws FootnoteError `csrf_invalid` where a request that may change something does not echo
   * the session's token.
   */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<UserPrincipal | null> {
    const claims = await this.claimsOf(request);
    const principal = claims && this.principalOf(claims.session);
    if (!claims || !principal) return null;
    if (!SAFE_METHODS.has(request.method)) await this.requireCsrf(request, principal.sessionId);
    if (this.clock.now().getTime() - claims.issuedAt > RENEWED_AFTER_MS)
      await this.give(reply, claims.session);
    return principal;
  }

  /** Sets the cookies of a session. @returns its CSRF token, for the answer. */
  async give(reply: FastifyReply, session: Session): Promise<string> {
    const csrf = await this.tokens.csrfOf(session.sessionId);
    const lasts = Math.min(IDLE_MS, session.endsAt - this.clock.now().getTime());
    this.cookies.set(reply, await this.tokens.sign(session), csrf, lasts);
    return csrf;
  }

  /** Has the browser forget its session. */
  forget(reply: FastifyReply): void {
    this.cookies.clear(reply);
  }

  csrfOf(sessionId: string): Promise<string> {
    return this.tokens.csrfOf(sessionId);
  }

  /** Returns whether a session is still live; for work that outlasts its request. */
  isLive({ tenantId, userId, sessionId, sessionEpoch, expiresAt }: UserPrincipal): boolean {
    if (expiresAt <= this.clock.now().getTime() || this.erased.has(tenantId)) return false;
    return !this.users.hasEnded(userId, { id: sessionId, epoch: sessionEpoch });
  }

  /** Returns the claims of a request's cookie, verified once a request. */
  private claimsOf(request: FastifyRequest): Promise<VerifiedSession | null> {
    const token = this.cookies.tokenOf(request);
    const claims =
      this.verified.get(request) ??
      (token === null ? Promise.resolve(null) : this.tokens.verify(token));
    this.verified.set(request, claims);
    return claims;
  }

  private principalOf({
    userId,
    tenantId,
    sessionId,
    epoch,
    endsAt,
  }: Session): UserPrincipal | null {
    const user = this.users.find(userId);
    if (this.erased.has(tenantId)) return null;
    if (
      !user ||
      user.tenantId !== tenantId ||
      this.users.hasEnded(userId, { id: sessionId, epoch })
    )
      return null;
    return {
      kind: 'user',
      tenantId,
      actor: { type: 'user', id: userId },
      scopes: ROLE_SCOPES[user.role],
      expiresAt: endsAt,
      userId,
      role: user.role,
      sessionId,
      sessionEpoch: epoch,
    };
  }

  private async requireCsrf({ headers }: FastifyRequest, sessionId: string): Promise<void> {
    const given = headers['x-csrf-token'];
    if (typeof given === 'string' && (await this.tokens.isCsrfOf(sessionId, given))) return;
    throw new FootnoteError(
      'csrf_invalid',
      'A request with a session cookie must echo its CSRF token in X-CSRF-Token',
    );
  }
}
