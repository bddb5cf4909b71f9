import { backOffMs, type Clock, type Logger, sleep } from '#platform';

import { isModelError, ModelError } from '../model-error.js';
import { asModelError, type EndpointFailure, endpointFailure } from './endpoint-failure.js';
import { EndpointHealth } from './endpoint-health.js';

export interface RemoteEndpointOptions {
  /** Name in messages: `embedding endpoint`. */
  readonly name: string;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Logger;
  /** First pause before a repeated request; doubles with each further one. Default 500 ms. */
  readonly backoffMs?: number | undefined;
}

/** Requests for one piece of work until the endpoint counts as unavailable. */
const MAX_ATTEMPTS = 6;
/** An invalid answer is rarely better after a repetition. */
const MAX_BAD_ANSWERS = 2;
/** Requested pauses for one piece of work, and the maximum pause that is granted. */
const MAX_PAUSES = 20;
const MAX_PAUSE_MS = 120_000;
const MAX_BACKOFF_MS = 16_000;
/** The maximum pause for a waiting caller. */
const SHORT_PAUSE_MS = 1_000;

interface Tries {
  attempts: number;
  badAnswers: number;
  pauses: number;
}

/**
 * A client of a model's endpoint for any kind of request. The outcome of each request is recorded
 * for all others, and it is repeated according to its failure and urgency.
 */
export class RemoteEndpoint {
  private readonly health: EndpointHealth;

  constructor(private readonly options: RemoteEndpointOptions) {
    this.health = new EndpointHealth(options.clock);
  }

  /**
   * Sends one request, and records its outcome before anything else happens.
   * @throws errors of the request.
   */
  async request<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      const answer = await send();
      this.health.succeeded();
      return answer;
    } catch (error) {
      const { kind, retryAfterMs = this.backoff(0) } = this.failureOf(error);
      if (kind === 'limited') this.health.pause(Math.min(retryAfterMs, MAX_PAUSE_MS));
      if (kind === 'transient' && !signal.aborted) this.health.failed();
      throw error;
    }
  }

  /** Pauses work that is not urgent. */
  rest(milliseconds: number): void {
    this.health.pause(milliseconds);
  }

  /**
   * Resolves when work that is not urgent may be sent.
   * @throws the signal's reason.
   */
  async ready(signal: AbortSignal): Promise<void> {
    for (let wait = this.health.pausedFor; wait > 0; wait = this.health.pausedFor) {
      if (!(await sleep(wait, signal))) throw signal.reason;
    }
  }

  /**
   * Repeats work that nobody waits for, with the pauses that the endpoint requests.
   * @throws ModelError if it fails finally; the signal's reason if it aborts.
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
          `models: a request to the ${name} failed; retrying`,
        );
        if (!(await sleep(wait, signal))) throw signal.reason;
      }
    }
  }

  /**
   * Repeats work that a caller waits for, a few times and soon, and not at all while the endpoint
   * is down.
   * @param signal ends the repetitions.
   * @throws ModelError if it fails finally, also if the signal ended it.
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

  /** Classifies an error of a request. */
  failureOf(error: unknown): EndpointFailure {
    return endpointFailure(error, this.options.name);
  }

  /** Returns the error for callers. */
  asError(error: unknown): ModelError {
    return isModelError(error) ? error : asModelError(this.failureOf(error), error);
  }

  private down(milliseconds: number, cause: unknown): ModelError {
    const retryAfter = Math.max(1, Math.ceil(milliseconds / 1_000));
    return new ModelError(`The ${this.options.name} is down; retry later`, { retryAfter, cause });
  }

  /** Returns the milliseconds until the work is repeated; null if it is not. */
  private waitAfter({ kind, retryAfterMs }: EndpointFailure, tries: Tries): number | null {
    const backoff = this.backoff(tries.attempts + tries.pauses);
    switch (kind) {
      case 'limited': {
        tries.pauses += 1;
        const pause = retryAfterMs ?? backoff;
        if (tries.pauses > MAX_PAUSES || pause > MAX_PAUSE_MS) return null;
        // Otherwise all waiting requests would be sent at the same moment.
        return pause + Math.random() * this.backoff(0);
      }
      case 'bad_answer':
        tries.badAnswers += 1;
        return tries.badAnswers < MAX_BAD_ANSWERS ? backoff : null;
      case 'transient':
        tries.attempts += 1;
        return tries.attempts < MAX_ATTEMPTS
          ? Math.max(backoff, Math.min(retryAfterMs ?? 0, MAX_PAUSE_MS))
          : null;
      default:
        return null;
    }
  }

  private backoff(attempts: number): number {
    const { backoffMs = 500 } = this.options;
    // A quarter more or less than its nominal value.
    return backOffMs(
      { firstMs: 1.25 * backoffMs, longestMs: 1.25 * MAX_BACKOFF_MS, jitter: 0.4 },
      attempts + 1,
    );
  }
}
