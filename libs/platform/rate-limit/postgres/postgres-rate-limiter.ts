import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';

import type { Clock } from '../../clock/clock.js';
import { withTimeout } from '../../clock/sleep.js';
import type { Logger } from '../../logging/logger.js';
import { onPostgres, openPostgresPool } from '../../postgres/postgres-pool.js';
import { MemoryRateLimiter } from '../memory-rate-limiter.js';
import {
  RATE_WINDOW_SECONDS,
  type RateDecision,
  type RateLimiter,
  type RateUsage,
} from '../rate-limiter.port.js';
import { migrateRateLimits } from './migrate-rate-limits.js';

export interface PostgresRateLimiterOptions {
  /** `postgres://…` of the application's login. */
  readonly url: string;
  /** The owner's, for migrations. Default: the same. */
  readonly adminUrl?: string;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Logger;
  /** Default 60. */
  readonly windowSeconds?: number;
}

/** Leased tokens are usable for this time, milliseconds; the server counts them as much longer. */
const LEASED_FOR_MS = 2_000;
/** Slots besides the window: one at each end, and those of a lease's age. */
const SLOTS_BESIDE = 1 + LEASED_FOR_MS / 1_000;
/** One lease is at most this fraction of the limit. */
const MAX_LEASE_FRACTION = 20;
/** A rejected subject is rejected for this time without another query, milliseconds. */
const REFUSED_FOR_MS = 1_000;
/** Timeout of a query, and pause after a failed one, milliseconds. */
const WITHIN_MS = 500;
const ASK_AGAIN_MS = 1_000;
const MAX_SUBJECTS = 100_000;
/** The largest number that the server can count to. */
const MAX_LIMIT = 2_000_000_000;
const SWEEP_MS = 60_000;

/** State of a subject in this process. */
interface Subject {
  /** Leased and unused. */
  tokens: number;
  /** By the monotonic clock; afterwards they are returned with the next query. */
  usableUntil: number;
  /** Time of the lease, in seconds of the server. */
  leasedAt: string;
  askedAt: number;
  /** Number of tokens to request. */
  block: number;
  /** Count of the server, including tokens of other processes. */
  counted: number;
  refusedUntil: number;
  resetSeconds: number;
  asking: Promise<void> | undefined;
  waiting: number;
}

interface Leased {
  readonly granted: number;
  readonly used: number;
  readonly at_second: string;
  readonly free_in: number;
}

/**
 * Opens limits that several processes share in a PostgreSQL database.
 * @throws FootnoteError `engine_unavailable`.
 */
export async function openPostgresRateLimiter(
  options: PostgresRateLimiterOptions,
): Promise<PostgresRateLimiter> {
  const { url, adminUrl = url, logger } = options;
  const admin = openPostgresPool({ url: adminUrl, name: 'footnote rate limits', size: 1, logger });
  try {
    const login = adminUrl === url ? null : decodeURIComponent(new URL(url).username);
    await onPostgres('PostgreSQL', () => migrateRateLimits(admin, login));
  } finally {
    await admin.end();
  }
  return new PostgresRateLimiter(
    openPostgresPool({ url, name: 'footnote rate limits', size: 2, logger }),
    options,
  );
}

/**
 * Limits over several processes, without a query for each request. A process leases as many tokens
 * as a subject lately used: one at first, and a twentieth of its limit at most. It returns tokens
 * that were unused for two seconds. Together the processes never let more pass than the limit in
 * any window. While the server does not answer, each process applies the limit by itself, which is
 * logged.
 */
export class PostgresRateLimiter implements RateLimiter {
  /** Number of queries, to measure the cost of the limits. */
  questions = 0;
  private readonly subjects = new LRUCache<string, Subject>({ max: MAX_SUBJECTS });
  private readonly alone: MemoryRateLimiter;
  private readonly windowSeconds: number;
  private readonly sweep: NodeJS.Timeout;
  private failing = false;
  private askAgainAt = -Infinity;

  constructor(
    private readonly pool: Pool,
    private readonly options: PostgresRateLimiterOptions,
  ) {
    this.windowSeconds = options.windowSeconds ?? RATE_WINDOW_SECONDS;
    this.alone = new MemoryRateLimiter(options);
    this.sweep = setInterval(() => void this.forgetOld(), SWEEP_MS).unref();
  }

  take(subject: string, limit: number): RateDecision | Promise<RateDecision> {
    const state = this.of(subject);
    const most = Math.min(limit, MAX_LIMIT);
    return this.decide(subject, state, most) ?? this.afterAsking(subject, state, most);
  }

  giveBack(subject: string): void {
    if (this.isAway) return this.alone.giveBack(subject);
    const state = this.of(subject);
    if (state.leasedAt !== '') state.tokens += 1;
  }

  async used(subject: string): Promise<RateUsage> {
    const state = this.of(subject);
    if (!this.isAway) await this.ask(subject, state, 0, 0);
    if (this.isAway) return this.alone.used(subject);
    const count = Math.max(0, state.counted - state.tokens);
    return { count, resetSeconds: count === 0 ? 0 : state.resetSeconds };
  }

  async close(): Promise<void> {
    clearInterval(this.sweep);
    await this.pool.end();
  }

  private get isAway(): boolean {
    return this.options.clock.monotonic() < this.askAgainAt;
  }

  /** Returns the decision without a query; undefined if one is needed. */
  private decide(subject: string, state: Subject, limit: number): RateDecision | undefined {
    const now = this.options.clock.monotonic();
    if (state.tokens > 0 && now < state.usableUntil) {
      state.tokens -= 1;
      return {
        allowed: true,
        remaining: remaining(state, limit),
        resetSeconds: state.resetSeconds,
      };
    }
    if (now < state.refusedUntil)
      return { allowed: false, remaining: 0, resetSeconds: state.resetSeconds };
    return this.isAway ? this.alone.take(subject, limit) : undefined;
  }

  private async afterAsking(subject: string, state: Subject, limit: number): Promise<RateDecision> {
    state.waiting += 1;
    try {
      for (;;) {
        // Requests that arrive during a query may find its tokens used up.
        state.asking ??= this.ask(
          subject,
          state,
          limit,
          Math.max(state.block, state.waiting),
        ).finally(() => {
          state.asking = undefined;
        });
        await state.asking;
        const decision = this.decide(subject, state, limit);
        if (decision) return decision;
      }
    } finally {
      state.waiting -= 1;
    }
  }

  private async ask(subject: string, state: Subject, limit: number, wanted: number): Promise<void> {
    const askedAt = this.options.clock.monotonic();
    const sentBack = state.tokens;
    if (wanted > 0) this.adapt(state, limit, askedAt);
    state.tokens = 0;
    try {
      const parameters = [
        subject,
        wanted,
        limit,
        this.windowSeconds + SLOTS_BESIDE,
        sentBack,
        state.leasedAt || '0',
      ];
      const { granted, used, at_second, free_in } = await this.query(parameters);
      state.counted = used;
      state.resetSeconds = free_in;
      if (granted > 0) {
        Object.assign(state, {
          tokens: granted,
          leasedAt: at_second,
          askedAt,
          usableUntil: askedAt + LEASED_FOR_MS,
        });
      } else if (wanted > 0) {
        state.refusedUntil = askedAt + Math.min(free_in * 1_000, REFUSED_FOR_MS);
      }
      if (this.failing)
        this.options.logger.info(
          {},
          'rate limits: PostgreSQL is available; sharing limits with other processes',
        );
      this.failing = false;
    } catch (error) {
      this.askAgainAt = this.options.clock.monotonic() + ASK_AGAIN_MS;
      if (!this.failing) {
        this.options.logger.warn(
          { err: error },
          'rate limits: PostgreSQL is unavailable; this process applies the limits by itself',
        );
      }
      this.failing = true;
    }
  }

  /**
   * Doubles the next lease if the last one lasted less than a second, halves it if some were left.
   */
  private adapt(state: Subject, limit: number, now: number): void {
    const largest = Math.max(1, Math.floor(limit / MAX_LEASE_FRACTION));
    if (state.tokens > 0) state.block = Math.max(1, state.block >> 1);
    else if (now - state.askedAt < LEASED_FOR_MS / 2)
      state.block = Math.min(largest, state.block * 2);
  }

  private async query(parameters: readonly unknown[]): Promise<Leased> {
    this.questions += 1;
    const sql = 'select * from ratelimit.lease($1, $2, $3, $4, $5, $6)';
    const asked = this.pool.query<Leased>({ name: 'lease', text: sql, values: [...parameters] });
    const { rows } = await withTimeout(asked, WITHIN_MS, 'PostgreSQL did not answer in time');
    if (!rows[0]) throw new Error('PostgreSQL leased nothing');
    return rows[0];
  }

  private of(subject: string): Subject {
    const known = this.subjects.get(subject);
    if (known) return known;
    const made: Subject = {
      tokens: 0,
      usableUntil: -Infinity,
      leasedAt: '',
      askedAt: -Infinity,
      block: 1,
      counted: 0,
      refusedUntil: -Infinity,
      resetSeconds: 0,
      asking: undefined,
      waiting: 0,
    };
    this.subjects.set(subject, made);
    return made;
  }

  private async forgetOld(): Promise<void> {
    const sql = `delete from ratelimit.subjects where newest < extract(epoch from clock_timestamp()) - $1::int`;
    await this.pool
      .query(sql, [2 * (this.windowSeconds + SLOTS_BESIDE)])
      .catch((error: unknown) => {
        this.options.logger.debug(
          { err: error },
          'rate limits: removing old counts failed; retrying later',
        );
      });
  }
}

function remaining({ counted, tokens }: Subject, limit: number): number {
  return Math.max(0, limit - counted + tokens);
}
