import { isStageFailure } from '#contracts';
import { sleep } from '#platform/clock/sleep';

import type { WebClient, WebDocument, WebRequest, WebUnchanged } from '../web/web-client.js';

export interface PoliteClientOptions {
  readonly web: WebClient;
  /** Between the beginnings of two requests, milliseconds. */
  readonly delayMs: number;
  readonly signal: AbortSignal;
}

/** Tries of one document, the first included. */
const TRIES = 3;
/** Before a document is tried again, when its host did not say. */
const PAUSE_MS = 500;
/** A host that asks for a longer wait is left alone until the job is tried again. */
const LONGEST_PAUSE_MS = 30_000;

/**
 * Asks one site for documents no faster than it should, and, while it wants to be left alone, not
 * at all.
 */
export class PoliteClient {
  private nextStart = 0;
  private delayMs: number;

  constructor(private readonly options: PoliteClientOptions) {
    this.delayMs = options.delayMs;
  }

  /** Takes up what the site itself asks for. */
  slowDown(delayMs: number): void {
    this.delayMs = Math.max(this.delayMs, delayMs);
  }

  /**
   * Reads a document, and again after a failure that may pass soon. @throws what {@link WebClient}
   * throws.
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
        // The host asked, so that every request waits; a page that fails by itself holds up no
        // other.
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
