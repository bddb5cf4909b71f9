import { isFootnoteError } from '#contracts';
import { backOffMs, type Clock, type Logger, sleep, systemClock } from '#platform';

import { type ServerName, SERVERS } from './engine-set.js';
import { EngineStartError, messageOf, rootCauseOf } from './engine-start-error.js';

const PAUSES = { firstMs: 250, longestMs: 2_000 };

export interface StartupRetryOptions {
  /**
   * For how long servers that are away are tried again, milliseconds from the first try; 0 for not
   * at all.
   */
  readonly timeoutMs: number;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Waits between two tries, or until the signal aborts. Default: by the timers of the process. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * What one start of a process bears of servers that are away. Each is tried by itself until it
 * opens, so that the others are open meanwhile; the time is the same for all. What waiting does not
 * mend (credentials that are refused, a wrong key, a server that does not fit) ends the start at
 * once.
 */
export class StartupRetry {
  /** Why the servers that are away are so, by what was logged last. */
  private readonly away = new Map<ServerName, string>();
  private readonly over = new AbortController();
  private readonly clock: Clock;
  private began: number | undefined;

  constructor(private readonly options: StartupRetryOptions) {
    this.clock = options.clock ?? systemClock;
  }

  /** The servers that are waited for, by their names. */
  get awaited(): readonly string[] {
    return [...this.away.keys()].map((server) => SERVERS[server].name);
  }

  /**
   * Runs `open` until it succeeds. It leaves nothing open when it fails, and is never cut off; but
   * once the start has failed, it is not waited for any more.
   * @throws EngineStartError when the server cannot be used, or the time is up; whatever `giveUp`
   * was called with.
   */
  async open<T>(server: ServerName, open: () => Promise<T>): Promise<T> {
    const { signal } = this.over;
    this.began ??= this.clock.monotonic();
    for (let attempt = 1; ; attempt += 1) {
      try {
        const engine = await unlessAborted(open(), signal);
        this.recordOpened(server);
        return engine;
      } catch (error) {
        signal.throwIfAborted();
        this.recordFailure(server, error);
      }
      await this.pause(attempt, signal);
      signal.throwIfAborted();
    }
  }

  /**
   * Repeats work on servers that were there a moment ago, for as long as the start has time.
   * @throws what the work threw last, when it was something else or the time is up; whatever
   * `giveUp` was called with.
   */
  async repeat<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this.over;
    this.began ??= this.clock.monotonic();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await unlessAborted(work(), signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!isFootnoteError(error, 'engine_unavailable') || this.remainingMs() <= 0) throw error;
      }
      await this.pause(attempt, signal);
      signal.throwIfAborted();
    }
  }

  /** The start has failed: whoever waits, waits no more. */
  giveUp(error: unknown): void {
    this.over.abort(error);
  }

  /** @throws EngineStartError when there is no sense, or no time, in trying again. */
  private recordFailure(server: ServerName, error: unknown): void {
    const { timeoutMs, logger } = this.options;
    const { name, variable } = SERVERS[server];
    if (!isFootnoteError(error, 'engine_unavailable')) {
      throw new EngineStartError(
        `${name} (${variable}) cannot be used: ${messageOf(error)}`,
        error,
      );
    }
    const reason = messageOf(rootCauseOf(error));
    const reported = this.away.get(server);
    this.away.set(server, reason);
    if (this.remainingMs() <= 0) throw new EngineStartError(this.failureMessage(), error);
    if (reported !== reason) {
      logger.warn(
        { engine: name, reason, timeout_seconds: timeoutMs / 1_000 },
        'The start waits for an engine',
      );
    }
  }

  private recordOpened(server: ServerName): void {
    if (!this.away.delete(server)) return;
    this.options.logger.info(
      { engine: SERVERS[server].name },
      'An engine that was waited for is there',
    );
  }

  private async pause(attempt: number, signal: AbortSignal): Promise<void> {
    const { pause = sleep } = this.options;
    // The last try is made when the time is up.
    await pause(Math.min(backOffMs(PAUSES, attempt), Math.max(1, this.remainingMs())), signal);
  }

  private remainingMs(): number {
    return (this.began ?? 0) + this.options.timeoutMs - this.clock.monotonic();
  }

  private failureMessage(): string {
    const away = [...this.away].map(([server, reason]) => {
      const { name, variable } = SERVERS[server];
      return `${name} (${variable}) is away: ${reason}`;
    });
    const { timeoutMs } = this.options;
    if (timeoutMs > 0) away.push(`START_TIMEOUT_SECONDS, ${timeoutMs / 1_000}, are over`);
    return `${away.join('; ')}.`;
  }
}

/** Rejects with the signal's reason as soon as it aborts; the work itself goes on. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
