import { Inject, Injectable } from '@nestjs/common';

import { FootnoteError } from '#contracts';
import { CLOCK, type Clock, growingCache } from '#platform';

/**
 * Attempts that may fail in a row, and after how long each is forgotten, milliseconds: nobody ever
 * waits longer than that.
 */
interface Allowance {
  readonly burst: number;
  readonly refillMs: number;
}

/** One account from one network. */
const PAIR: Allowance = { burst: 5, refillMs: 30_000 };
/** Any account from one network. */
const CLIENT: Allowance = { burst: 30, refillMs: 10_000 };
/** One account from any network that it was not signed in to before. */
const ACCOUNT: Allowance = { burst: 50, refillMs: 20_000 };
/** New accounts and tries of invitation links from one network. */
const REGISTRATION: Allowance = { burst: 100, refillMs: 10_000 };
const MAX_KEPT = 50_000;

/** State of one allowance: the usage, and the time of that value. */
interface Used {
  readonly amount: number;
  readonly at: number;
}

/** An attempt that was let through; it counts until it is said to have succeeded. */
export interface Attempt {
  succeeded(): void;
}

/**
 * Slows guessing of passwords, in the memory of a process. It never locks an account: a person
 * whose sign-in fails waits for half a minute at most. Failures of strangers are not counted
 * against a network that signed in to the account before.
 */
@Injectable()
export class SignInThrottle {
  private readonly used = growingCache<Used>(MAX_KEPT);
  private readonly trusted = growingCache<true>(MAX_KEPT);

  constructor(@Inject(CLOCK) private readonly clock: Pick<Clock, 'monotonic'>) {}

  /**
   * @param fingerprint of the address that is tried, whether or not somebody has it
   * @param client network of the request
   * @throws FootnoteError `rate_limited`
   */
  attempt(fingerprint: string, client: string): Attempt {
    const pair = `${fingerprint} ${client}`;
    const asked: [string, Allowance][] = [
      [`pair ${pair}`, PAIR],
      [`client ${client}`, CLIENT],
    ];
    if (!this.trusted.has(pair)) asked.push([`account ${fingerprint}`, ACCOUNT]);
    this.take(asked);
    return {
      succeeded: () => {
        this.trusted.set(pair, true);
        for (const [key, allowance] of asked) this.used.set(key, this.after(key, allowance, -1));
      },
    };
  }

  /** @throws FootnoteError `rate_limited` */
  registration(client: string): void {
    this.take([[`registration ${client}`, REGISTRATION]]);
  }

  /** All or none. */
  private take(asked: readonly (readonly [string, Allowance])[]): void {
    const after = asked.map(
      ([key, allowance]) => [key, allowance, this.after(key, allowance, 1)] as const,
    );
    const waits = after.map(([, { burst, refillMs }, { amount }]) =>
      Math.ceil((amount - burst) * refillMs),
    );
    const wait = Math.max(0, ...waits);
    if (wait > 0) {
      const retryAfter = Math.max(1, Math.ceil(wait / 1_000));
      throw new FootnoteError(
        'rate_limited',
        `Too many attempts; try again in ${retryAfter} seconds`,
        { retryAfter },
      );
    }
    for (const [key, , used] of after) this.used.set(key, used);
  }

  private after(key: string, { refillMs }: Allowance, more: number): Used {
    const at = this.clock.monotonic();
    const before = this.used.get(key) ?? { amount: 0, at };
    const left = Math.max(0, before.amount - (at - before.at) / refillMs);
    return { amount: Math.max(0, left + more), at };
  }
}
