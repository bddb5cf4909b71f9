import { isStageFailure } from '#contracts';
import { sleep } from '#platform/clock/sleep';

import type { WebClient, WebDocument, WebRequest, WebUnchanged } from '../web/web-client.js';

export interface PoliteClientOptions {
  readonly web: WebClient;
  /** Time between the starts of two requests, milliseconds. */
  readonly delayMs: number;
  readonly signal: AbortSignal;
}

/** Tries of one document, the first included. */
const TRIES = 3;
/** Wait before a retry of a document if its host names no time. */
const PAUSE_MS = 500;
/** If a host asks for a longer wait, it gets no request until the job is retried. */
const LONGEST_PAUSE_MS = 30_000;

/**
 * Requests documents from one site at a limited rate, and sends nothing while the site asks to
 * wait.
 */
export class PoliteClient {
  private nextStart = 0;
  private delayMs: number;

  constructor(private readonly options: PoliteClientOptions) {
    this.delayMs = options.delayMs;
  }

  /** Applies the delay that the site itself asks for. */
  slowDown(delayMs: number): void {
    this.delayMs = Math.max(this.delayMs, delayMs);
  }

  /**
   * Reads a document; retries after a failure that may pass soon. @throws the errors of {@link
   * WebClient}.
   */
  async get(url: string, request: WebRequest): Promise<WebDocument | WebUnchanged> {
    for (let attempt = 1; ; attempt += 1) {
      await this.turn();
      try {
        return await this.options.web.get(url, request);
      } catch (error) {
        if (!isStageFailure(error) || !error.retryable || attempt === TRIES) throw error;
        const pause = error.retryAfterMs ?? PAUSE_MS * attempt;
        if (pause > LONGEST_PAUSE_MS) throw error;
        // The host asked for the wait, so every request waits. A page that fails by itself delays
        // no other.
        if (error.retryAfterMs !== undefined)
          this.nextStart = Math.max(this.nextStart, performance.now() + pause);
        else await sleep(pause, this.options.signal);
      }
    }
  }

  private async turn(): Promise<void> {
    const { signal } = this.options;
    for (;;) {
      signal.throwIfAborted();
      const now = performance.now();
      if (this.nextStart <= now) break;
      await sleep(this.nextStart - now, signal);
    }
    this.nextStart = performance.now() + this.delayMs;
  }
}
