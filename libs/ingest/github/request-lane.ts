import { type Clock, FairSemaphore } from '#platform';

import { HostFailure } from './host-failure.js';
import { type LimitedAnswer, untilReset, waitAfterLimit } from './rate-limit-wait.js';

/** Limits of GitHub that are counted apart. */
export type LimitedResource = 'core' | 'search';

/** Waits milliseconds; returns false if the signal aborts. */
export type Wait = (milliseconds: number, signal?: AbortSignal) => Promise<boolean>;

/** Requests that may wait for one token. */
const MOST_WAITING = 1_000;

/**
 * The requests of one token, or of this address without a token. They run one at a time, in turns
 * of the tenants, and none runs while a limit is exhausted.
 */
export class RequestLane {
  private readonly turns = new FairSemaphore({ places: 1 });
  private readonly freeAt = new Map<LimitedResource, number>();
  private readonly strikes = new Map<LimitedResource, number>();
  private waiting = 0;

  constructor(
    private readonly clock: Clock,
    private readonly wait: Wait,
  ) {}

  /** @throws HostFailure `github_rate_limited` if too many requests wait; the signal's reason. */
  async run<T>(tenantId: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.waiting >= MOST_WAITING)
      throw new HostFailure('github_rate_limited', 'Too many requests to GitHub wait');
    this.waiting += 1;
    try {
      return await this.turns.run(tenantId, work, signal);
    } finally {
      this.waiting -= 1;
    }
  }

  /**
   * Waits until the limit of a resource allows a request.
   *
   * @throws HostFailure `github_rate_limited` if that takes longer than `waitMs`.
   */
  async untilFree(resource: LimitedResource, waitMs: number, signal: AbortSignal): Promise<number> {
    const left = (this.freeAt.get(resource) ?? 0) - this.clock.now().getTime();
    if (left <= 0) return 0;
    if (left > waitMs) {
      const seconds = Math.ceil(left / 1_000);
      throw new HostFailure(
        'github_rate_limited',
        `GitHub's ${resource} limit is exhausted; retry in ${seconds} s`,
        { retryAfterMs: left },
      );
    }
    await this.wait(left, signal);
    signal.throwIfAborted();
    return left;
  }

  /** Records an answer within the limits; the last one of a window blocks until its reset. */
  accepted(resource: LimitedResource, headers: LimitedAnswer['headers']): void {
    this.strikes.delete(resource);
    this.block(resource, untilReset(headers, this.clock.now().getTime()) ?? 0);
  }

  /** Records a rejection because of a limit. */
  rejected(resource: LimitedResource, answer: LimitedAnswer): void {
    const strikes = this.strikes.get(resource) ?? 0;
    this.strikes.set(resource, strikes + 1);
    this.block(resource, waitAfterLimit(answer, this.clock.now().getTime(), strikes));
  }

  private block(resource: LimitedResource, milliseconds: number): void {
    if (milliseconds > 0) this.freeAt.set(resource, this.clock.now().getTime() + milliseconds);
    else this.freeAt.delete(resource);
  }
}
