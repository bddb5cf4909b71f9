import type { ProposedEvent } from '#contracts';
import type { OpenJob } from '#domain';

/**
 * Events of a job that wait to be appended together with later ones: ends of stages and leases of
 * the next ones, in order. The log shows the job as it was before them.
 */
export class HeldEvents {
  private events: ProposedEvent[] = [];
  private since = 0;
  private before: OpenJob | undefined;
  /** Stores the output that the last of them names. */
  private storeOutput: () => Promise<void> = () => Promise.resolve();

  get isEmpty(): boolean {
    return this.events.length === 0;
  }

  get all(): readonly ProposedEvent[] {
    return this.events;
  }

  /** @param now monotonic time, milliseconds. @returns how long the first of them waits. */
  age(now: number): number {
    return this.isEmpty ? 0 : now - this.since;
  }

  add(
    events: readonly ProposedEvent[],
    before: OpenJob,
    now: number,
    storeOutput: () => Promise<void>,
  ): void {
    if (this.isEmpty) {
      this.since = now;
      this.before = before;
    }
    this.events.push(...events);
    this.storeOutput = storeOutput;
  }

  /** Stores the output that the due work of the job needs once the log has the events. */
  store(): Promise<void> {
    return this.isEmpty ? Promise.resolve() : this.storeOutput();
  }

  /** @returns the job as the log shows it; undefined where nothing was held. */
  clear(): OpenJob | undefined {
    const { before } = this;
    this.events = [];
    this.before = undefined;
    return before;
  }
}
