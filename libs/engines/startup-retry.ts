import { isFootnoteError } from '#contracts';
import { backOffMs, type Clock, type Logger, sleep, systemClock } from '#platform';

import { type ServerName, SERVERS } from './engine-set.js';
import { EngineStartError, messageOf, rootCauseOf } from './engine-start-error.js';

const PAUSES = { firstMs: 250, longestMs: 2_000 };

export interface StartupRetryOptions {
  /**
   * Time for which unavailable servers are retried, milliseconds from the first attempt; 0 for no
   * retry.
   */
  readonly timeoutMs: number;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Waits between two attempts, or until the signal aborts. Default: a timer of the process. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Retries the opening of unavailable servers during one start. Each server is retried by itself
 * until it opens, so the others open at the same time; the time limit is common. Errors that
 * waiting does not solve (rejected credentials, a wrong key, an unsuitable server) end the start at
 * once.
 */
export class StartupRetry {
  /** Last logged reason of each unavailable server. */
  private readonly away = new Map<ServerName, string>();
  private readonly over = new AbortController();
  private readonly clock: Clock;
  private began: number | undefined;

  constructor(private readonly options: StartupRetryOptions) {
    this.clock = options.clock ?? systemClock;
  }

  /** Names of the servers that the start waits for. */
  get awaited(): readonly string[] {
    return [...this.away.keys()].map((server) => SERVERS[server].name);
  }

  /**
   * Runs `open` until it succeeds. A failing `open` leaves nothing open and is never interrupted;
   * but after the start has failed, its result is not awaited.
   * @throws EngineStartError if the server cannot be used, or the time is up; the error given to
   * `giveUp`.
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
   * Repeats work on servers that were just available, while the start has time.
   * @throws the last error of the work, if it is another one or the time is up; the error given to
   * `giveUp`.
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

  /** Ends all waits, because the start has failed. */
  giveUp(error: unknown): void {
    this.over.abort(error);
  }

  /** @throws EngineStartError if a retry is useless, or the time is up. */
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
        'start: an engine is unavailable; retrying',
      );
    }
  }

  private recordOpened(server: ServerName): void {
    if (!this.away.delete(server)) return;
    this.options.logger.info(
      { engine: SERVERS[server].name },
      'start: an engine became available; continuing',
    );
  }

  private async pause(attempt: number, signal: AbortSignal): Promise<void> {
    const { pause = sleep } = this.options;
    // The last attempt is made when the time is up.
    await pause(Math.min(backOffMs(PAUSES, attempt), Math.max(1, this.remainingMs())), signal);
  }

  private remainingMs(): number {
    return (this.began ?? 0) + this.options.timeoutMs - this.clock.monotonic();
  }

  private failureMessage(): string {
    const away = [...this.away].map(([server, reason]) => {
      const { name, variable } = SERVERS[server];
      return `${name} (${variable}) is unavailable: ${reason}`;
    });
    const { timeoutMs } = this.options;
    if (timeoutMs > 0) away.push(`START_TIMEOUT_SECONDS (${timeoutMs / 1_000}) is over`);
    return away.join('; ');
  }
}

/** Rejects with the signal's reason as soon as it aborts; the work itself continues. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
