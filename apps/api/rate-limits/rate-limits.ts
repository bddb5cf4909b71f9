import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { FootnoteError, isFootnoteError, limitsOf } from '#contracts';
import type { Config, RateDecision, RateLimiter } from '#platform';

import { AccessTokens } from '../auth/access-tokens.js';
import { carriesApiKey, credentialOf } from '../auth/credentials.js';
import { KnownApiKeys } from '../auth/known-api-keys.js';
import type { Principal } from '../auth/principal.js';
import { Sessions } from '../auth/sessions.js';
import { CONFIG, RATE_LIMITER } from '../engines/engines.js';
import { requestsOf } from '../quota/requests-subject.js';
import { TenantPlans } from '../quota/tenant-plans.js';
import { networkOf } from './address-subject.js';
import { attemptOf, ATTEMPTS } from './attempts.js';
import { UntrustedProxy } from './untrusted-proxy.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Record of the rate limits about the request; absent if none applies. */
    rateLimited?: RateLimited;
  }
}

interface RateLimited {
  /** Reports whether the head carries live credentials. */
  readonly hasCredentials: boolean;
  /**
   * The kind of failure that the request counts towards unless it succeeds; null where it cannot
   * fail to authenticate.
   */
  readonly mayFailAs: string | null;
  countedTenant: string | null;
}

/**
 * Rejects callers that send too many requests, by the head of a request. It counts by address, by
 * failed authentication of the address, and by the plan of the tenant whose credentials it carries.
 */
@Injectable()
export class RateLimits {
  constructor(
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
    @Inject(CONFIG) private readonly config: Config,
    private readonly plans: TenantPlans,
    private readonly keys: KnownApiKeys,
    private readonly sessions: Sessions,
    private readonly tokens: AccessTokens,
    private readonly untrustedProxy: UntrustedProxy,
  ) {}

  /**
   * Counts a request of which nothing but the head was read. @throws FootnoteError `rate_limited`.
   */
  async admit(request: FastifyRequest): Promise<void> {
    const { address, failedAuth } = this.config.rateLimits;
    const network = networkOf(request.ip);
    this.untrustedProxy.note(request);
    if (address > 0) await this.count(`address:${network}`, address, 'from this address');
    const principal = await this.principalOf(request);
    const hasCredentials = principal !== null;
    if (principal) request.identified = principal;
    // A request without valid credentials may be about to fail: it is counted now, so that many at
    // once cannot all be about to.
    const attempt = hasCredentials || failedAuth === 0 ? null : attemptOf(request);
    const mayFailAs = attempt && `${attempt}:${network}`;
    if (attempt && mayFailAs) await this.count(mayFailAs, failedAuth, ATTEMPTS[attempt]);
    request.rateLimited = { hasCredentials, mayFailAs, countedTenant: null };
    if (principal) await this.countTenant(request, principal.tenantId);
  }

  /** Counts a request to its tenant, once. @throws FootnoteError `rate_limited`. */
  async countTenant(request: FastifyRequest, tenantId: string): Promise<void> {
    const noted = request.rateLimited;
    if (!noted || noted.countedTenant === tenantId) return;
    noted.countedTenant = tenantId;
    const [limit] = limitsOf(this.plans.of(tenantId), 'requests');
    if (limit) await this.count(requestsOf(tenantId), limit.limit, 'of this tenant');
  }

  /**
   * Records the status of an answer. A request without an authenticated principal counts as failed
   * if a client error rejects it. This is 401, or a rejection of its body or path, which are
   * checked before the credentials.
   */
  answered(request: FastifyRequest, status: number): void {
    const mayFailAs = request.rateLimited?.mayFailAs ?? null;
    const failed = request.principal === undefined && status >= 400 && status < 500;
    if (mayFailAs !== null && !failed) this.limiter.giveBack(mayFailAs);
  }

  private async count(subject: string, limit: number, whose: string): Promise<void> {
    const decided = this.limiter.take(subject, limit);
    const decision = decided instanceof Promise ? await decided : decided;
    if (!decision.allowed) throw refusal(decision, limit, whose);
  }

  /**
   * As the access guard decides: a key or token counts before a cookie. The guard reports why a
   * token is rejected.
   */
  private async principalOf(request: FastifyRequest): Promise<Principal | null> {
    if (this.tokens.carriesToken(request)) {
      return this.tokens.principalIn(request).catch((error: unknown) => {
        if (isFootnoteError(error)) return null;
        throw error;
      });
    }
    if (!carriesApiKey(request.headers)) return this.sessions.principalIn(request);
    try {
      return this.keys.principalOf(credentialOf(request.headers));
    } catch (error) {
      if (isFootnoteError(error, 'unauthorized')) return null;
      throw error;
    }
  }
}

function refusal(
  { remaining, resetSeconds }: RateDecision,
  limit: number,
  whose: string,
): FootnoteError {
  const wait = Math.max(1, resetSeconds);
  return new FootnoteError('rate_limited', `More than ${limit} requests a minute ${whose}`, {
    retryAfter: wait,
    rateLimit: { limit, remaining, resetSeconds: wait },
  });
}
