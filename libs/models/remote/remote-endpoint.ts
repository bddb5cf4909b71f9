import { backOffMs, type Clock, type Logger, sleep } from '#platform';

import { isModelError, ModelError } from '../model-error.js';
import { asModelError, type EndpointFailure, endpointFailure } from './endpoint-failure.js';
import { EndpointHealth } from './endpoint-health.js';

export interface RemoteEndpointOptions {
  /** What messages call it: `embedding endpoint`. */
  readonly name: string;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Logger;
  /** First wait before a repeated request; doubles with each further one. Default 500 ms. */
  readonly backoffMs?: number | undefined;
}

/** Requests for one piece of work until the endpoint counts as away. */
const MOST_ATTEMPTS = 6;
/** An answer that is none seldom gets better by asking again. */
const MOST_BAD_ANSWERS = 2;
/** Pauses that the endpoint asked for, for one piece of work, and the longest that is granted. */
const MOST_PAUSES = 20;
const LONGEST_PAUSE_MS = 120_000;
const LONGEST_BACKOFF_MS = 16_000;
/** The longest pause that somebody who waits is made to wait for. */
const SHORT_PAUSE_MS = 1_000;

interface Tries {
  attempts: number;
  badAnswers: number;
  pauses: number;
}

/**
 * How a model's endpoint is asked, whatever it is asked for: each request once, its outcome noted
 * for all the others, and repeated as its failure and the urgency call for.
 */
export class RemoteEndpoint {
  private readonly health: EndpointHealth;

  constructor(private readonly options: RemoteEndpointOptions) {
    this.health = new EndpointHealth(options.clock);
  }

  /**
   * One request, its outcome noted before anything else goes on. @throws what the request throws.
   */
  async request<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      const answer = await send();
      this.health.succeeded();
      return answer;
    } catch (error) {
      const { kind, retryAfterMs = this.backoff(0) } = this.failureOf(error);
      if (kind === 'limited') this.health.pause(Math.min(retryAfterMs, LONGEST_PAUSE_MS));
      if (kind === 'transient' && !signal.aborted) this.health.failed();
      throw error;
    }
  }

  /** Leaves the endpoint alone for what is not urgent. */
  rest(milliseconds: number): void {
    this.health.pause(milliseconds);
  }

  /**
   * Resolves when the endpoint may be asked for what is not urgent. @throws the signal's reason.
   */
  async ready(signal: AbortSignal): Promise<void> {
    for (let wait = this.health.pausedFor; wait > 0; wait = this.health.pausedFor) {
      if (!(await sleep(wait, signal))) throw signal.reason;
    }
  }

  /**
   * Repeats work that nobody waits for, with the pauses that the endpoint asks for.
   * @throws ModelError when it stays undone; the signal's reason when that is aborted.
   */
  async patiently<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const tries: Tries = { attempts: 0, badAnswers: 0, pauses: 0 };
    for (;;) {
      try {
        return await work();
      } catch (error) {
        signal.throwIfAborted();
        const failure = this.failureOf(error);
        const wait = this.waitAfter(failure, tries);
        if (wait === null) throw this.asError(error);
        const { name, logger } = this.options;
        logger.debug(
          { status: failure.statusCode, wait_ms: wait },
          `A request to the ${name} is repeated`,
        );
        if (!(await sleep(wait, signal))) throw signal.reason;
      }
    }
  }

  /**
   * Repeats work that somebody waits for, a few times and soon, and not at all while the endpoint
   * is down.
   * @param signal ends the repeating. @throws ModelError when it stays undone, also when the signal
   * ended it.
   */
  async promptly<T>(work: () => Promise<T>, signal: AbortSignal, attempts: number): Promise<T> {
    for (let attempt = 1, last: unknown; ; attempt += 1) {
      const { downFor } = this.health;
      if (downFor > 0) throw this.down(downFor, last);
      try {
        return await work();
      } catch (error) {
        last = error;
        const { kind, retryAfterMs = 0 } = this.failureOf(error);
        const passes =
          kind === 'transient' ||
          kind === 'bad_answer' ||
          (kind === 'limited' && retryAfterMs <= SHORT_PAUSE_MS);
        if (!passes || attempt >= attempts || signal.aborted) throw this.asError(error);
        await sleep(Math.max(this.backoff(0) / 4, retryAfterMs), signal);
      }
    }
  }

  /** What an error of a request calls for. */
  failureOf(error: unknown): EndpointFailure {
    return endpointFailure(error, this.options.name);
  }

  /** The error as those who asked see it. */
  asError(error: unknown): ModelError {
    return isModelError(error) ? error : asModelError(this.failureOf(error), error);
  }

  private down(milliseconds: number, cause: unknown): ModelError {
    const retryAfter = Math.max(1, Math.ceil(milliseconds / 1_000));
    return new ModelError(`The ${this.options.name} is down.`, { retryAfter, cause });
  }

  /** Milliseconds until the work is tried again; null when it is not. */
  private waitAfter({ kind, retryAfterMs }: EndpointFailure, tries: Tries): number | null {
    const backoff = this.backoff(tries.attempts + tries.pauses);
    switch (kind) {
      case 'limited': {
        tries.pauses += 1;
        const pause = retryAfterMs ?? backoff;
        if (tries.pauses > MOST_PAUSES || pause > LONGEST_PAUSE_MS) return null;
        // All that were waiting would ask at the same moment.
        return pause + Math.random() * this.backoff(0);
      }
      case 'bad_answer':
        tries.badAnswers += 1;
        return tries.badAnswers < MOST_BAD_ANSWERS ? backoff : null;
      case 'transient':
        tries.attempts += 1;
        return tries.attempts < MOST_ATTEMPTS
          ? Math.max(backoff, Math.min(retryAfterMs ?? 0, LONGEST_PAUSE_MS))
          : null;
      default:
        return null;
    }
  }

  private backoff(attempts: number): number {
    const { backoffMs = 500 } = this.options;
    // A quarter more or less than what it stands for.
    return backOffMs(
      { firstMs: 1.25 * backoffMs, longestMs: 1.25 * LONGEST_BACKOFF_MS, jitter: 0.4 },
      attempts + 1,
    );
  }
}
