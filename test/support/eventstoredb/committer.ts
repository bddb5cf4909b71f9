import type { Journal } from './journal.js';
import type { Log } from './log.js';

/**
 * Commits in groups: everything that arrives in one turn of the event loop, or within `gatherMs`,
 * is applied, written and synced together. Then it is answered and sent to subscriptions. Nothing
 * is visible before it is durable, because nothing else runs in between.
 */
export class Committer {
  private waiting: (() => () => void)[] = [];

  constructor(
    private readonly log: Log,
    private readonly journal: Journal | null,
    private readonly gatherMs: number,
  ) {}

  /** Runs a change of the log with the next group. Resolves once it is durable. */
  commit<Value>(change: () => Value): Promise<Value> {
    return new Promise((resolve) => {
      if (this.waiting.length === 0) this.flushSoon();
      this.waiting.push(() => {
        const value = change();
        return () => resolve(value);
      });
    });
  }

  private flushSoon(): void {
    if (this.gatherMs > 0) setTimeout(() => this.flush(), this.gatherMs).unref();
    else setImmediate(() => this.flush());
  }

  private flush(): void {
    const group = this.waiting;
    this.waiting = [];
    const answers = group.map((change) => change());
    this.journal?.flush();
    for (const answer of answers) answer();
    this.log.wake();
  }
}
