import type { Clock } from '../clock/clock.js';
import { growingCache } from '../memory/growing-cache.js';
import {
  RATE_WINDOW_SECONDS,
  type RateDecision,
  type RateLimiter,
  type RateUsage,
} from './rate-limiter.port.js';

/** Number of counted subjects; beyond it, the one with the oldest request starts over. */
const MAX_SUBJECTS = 100_000;

export interface MemoryRateLimiterOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Default 60. */
  readonly windowSeconds?: number;
}

/** Counts in slots of a second, in the memory of one process. */
export class MemoryRateLimiter implements RateLimiter {
  private readonly subjects = growingCache<SlidingCount>(MAX_SUBJECTS);
  private readonly clock: Pick<Clock, 'monotonic'>;
  private readonly windowSeconds: number;

  constructor({ clock, windowSeconds = RATE_WINDOW_SECONDS }: MemoryRateLimiterOptions) {
    this.clock = clock;
    this.windowSeconds = windowSeconds;
  }

  take(subject: string, limit: number): RateDecision {
    const count = this.of(subject);
    const allowed = count.sum < limit;
    if (allowed) count.add(1);
    return {
      allowed,
      remaining: Math.max(0, limit - count.sum),
      resetSeconds: count.secondsUntilLess(),
    };
  }

  giveBack(subject: string): void {
    this.of(subject).add(-1);
  }

  async used(subject: string): Promise<RateUsage> {
    const count = this.of(subject);
    return { count: count.sum, resetSeconds: count.secondsUntilLess() };
  }

  async close(): Promise<void> {
    this.subjects.clear();
  }

  private of(subject: string): SlidingCount {
    const second = Math.floor(this.clock.monotonic() / 1_000);
    const count = this.subjects.get(subject) ?? new SlidingCount(this.windowSeconds, second);
    this.subjects.set(subject, count);
    count.advanceTo(second);
    return count;
  }
}

/** One slot more than the window has seconds, because the current one may have just begun. */
class SlidingCount {
  sum = 0;
  private readonly slots: Uint32Array;

  constructor(
    windowSeconds: number,
    private second: number,
  ) {
    this.slots = new Uint32Array(windowSeconds + 1);
  }

  advanceTo(second: number): void {
    const { length } = this.slots;
    const passed = Math.min(second - this.second, length);
    for (let step = 1; step <= passed; step += 1) {
      const index = (second - passed + step) % length;
      this.sum -= this.slots[index] ?? 0;
      this.slots[index] = 0;
    }
    if (second > this.second) this.second = second;
  }

  /** Removes no more than there is. */
  add(amount: 1 | -1): void {
    const { length } = this.slots;
    for (let back = 0; back < length; back += 1) {
      const index = (this.second - back + length) % length;
      const slot = this.slots[index] ?? 0;
      if (amount < 0 && slot === 0) continue;
      this.slots[index] = slot + amount;
      this.sum += amount;
      return;
    }
  }

  secondsUntilLess(): number {
    const { length } = this.slots;
    for (let back = length - 1; back >= 0; back -= 1) {
      if ((this.slots[(this.second - back + length) % length] ?? 0) > 0) return length - back;
    }
    return 0;
  }
}
