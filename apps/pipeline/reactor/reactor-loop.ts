import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Position } from '#contracts';
import { backOffMs, type Logger, sleep } from '#platform';

import type { Reactor } from './reactor.types.js';

const INTERVAL_MS = 1_000;
const RETRIES = { firstMs: 500, longestMs: 10_000, jitter: 0.2 };

export interface ReactorLoopDependencies {
  readonly logger: Logger;
  /** Returns the position up to which the log is folded. */
  readonly position: () => Position | null;
}

/**
 * Calls `run` of one reactor: at its interval, at once when `apply` asks for it, and after failures
 * with a growing pause. A failing reactor does not delay the others, which have loops of their own.
 */
export class ReactorLoop {
  /** Error of the last run; null after a run that succeeded. */
  error: Error | null = null;
  private requested = false;
  private wake: () => void = () => undefined;

  constructor(
    private readonly reactor: Reactor,
    private readonly dependencies: ReactorLoopDependencies,
  ) {}

  /** Asks for a run at once. A pause after a failure is not shortened. */
  request(): void {
    this.requested = true;
    this.wake();
  }

  /** Runs the reactor until the signal aborts, then releases what it started. */
  async run(signal: AbortSignal): Promise<void> {
    const { reactor } = this;
    const { position } = this.dependencies;
    try {
      await this.untilDone('take-over', signal, async () =>
        reactor.takeOver?.({ signal, position: position() }),
      );
      while (!signal.aborted) {
        await this.untilDone('run', signal, async () => {
          this.requested = false;
          await reactor.run?.({ signal, position: position() });
        });
        await this.pause(signal);
      }
    } finally {
      await reactor.release?.();
    }
  }

  private async untilDone(
    step: string,
    signal: AbortSignal,
    work: () => Promise<void>,
  ): Promise<void> {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        await work();
        this.error = null;
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.error = error instanceof Error ? error : new Error(String(error));
        const retryInMs = Math.round(backOffMs(RETRIES, attempt));
        this.dependencies.logger.warn(
          { err: error, retry_in_ms: retryInMs },
          `reactor ${this.reactor.name}: ${step} failed; retrying`,
        );
        await sleep(retryInMs, signal);
      }
    }
  }

  /** Waits for the interval or a request, and until events that arrived together are folded. */
  private async pause(signal: AbortSignal): Promise<void> {
    if (!this.requested && !signal.aborted) {
      // Woken without a signal: each event of a sync wakes a loop, and errors of aborts cost.
      const onWait = (wake: () => void) => (this.wake = wake);
      await sleep(this.reactor.intervalMs ?? INTERVAL_MS, signal, { onWait });
      this.wake = () => undefined;
    }
    await nextTurn();
  }
}
