import { backOffMs, type Logger, sleep } from '#platform';

const PAUSES = { firstMs: 100, longestMs: 30_000 };

/**
 * Work that runs in parallel to the dispatcher's loop, one at a time for each name. A task that
 * throws is retried, later each time, until it succeeds, is cancelled or the process stops.
 */
export class Tasks {
  private readonly running = new Map<string, AbortController>();
  private readonly ends = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(private readonly logger: Logger) {}

  /**
   * Starts the task unless one of that name is at work. @param after wait before it, milliseconds.
   */
  run(name: string, work: (signal: AbortSignal) => Promise<void>, after = 0): void {
    if (this.running.has(name) || this.stopping.signal.aborted) return;
    const controller = new AbortController();
    this.running.set(name, controller);
    const end = this.untilDone(
      name,
      work,
      AbortSignal.any([controller.signal, this.stopping.signal]),
      after,
    ).finally(() => {
      this.ends.delete(end);
      if (this.running.get(name) === controller) this.running.delete(name);
    });
    this.ends.add(end);
  }

  cancel(name: string): void {
    this.running.get(name)?.abort();
    this.running.delete(name);
  }

  /** Ends every task and waits for it; new ones may be started afterwards. */
  async cancelAll(): Promise<void> {
    for (const name of [...this.running.keys()]) this.cancel(name);
    await Promise.allSettled(this.ends);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.allSettled(this.ends);
  }

  private async untilDone(
    name: string,
    work: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
    after: number,
  ): Promise<void> {
    if (after > 0 && !(await sleep(after, signal))) return;
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        return await work(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.logger.warn({ err: error, task: name }, 'A task failed and is tried again');
      }
      await sleep(backOffMs(PAUSES, attempt), signal);
    }
  }
}
