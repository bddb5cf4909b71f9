import type { EventStore } from '#event-store';
import type { BoundToLog, LogBinding } from '#platform';

import { type IdentityDependencies, LogIdentity } from './log-identity.js';
import type { StoreName } from './stores.js';

type Slots = ReadonlyMap<StoreName, PromiseWithResolvers<LogBinding>>;

/**
 * The identity check while engines are opening: each reports its binding as soon as it can be read,
 * and destructive steps wait for the result.
 */
export class OpeningIdentity {
  private readonly slots: Slots;
  private readonly log = Promise.withResolvers<EventStore | null>();
  /** Log and stores, once all are open and belong together; null if the log is not opened. */
  readonly settled: Promise<LogIdentity | null>;

  /**
   * @param stores whose bindings are awaited.
   * @param decide what to do with them; its error ends the start.
   */
  constructor(
    stores: readonly StoreName[],
    dependencies: Omit<IdentityDependencies, 'eventStore' | 'bindings'>,
    decide: (identity: LogIdentity) => Promise<void>,
  ) {
    this.slots = new Map(stores.map((store) => [store, Promise.withResolvers<LogBinding>()]));
    this.settled = this.settle(dependencies, decide);
    this.settled.catch(() => undefined);
  }

  /** Reports the open log; null: it will not be opened. */
  begin(eventStore: EventStore | null): void {
    this.log.resolve(eventStore);
  }

  /** Reports a store whose binding can be read. */
  offer(store: StoreName, { logBinding }: BoundToLog): void {
    this.slots.get(store)?.resolve(logBinding);
  }

  /**
   * Checks a store that the process started without, before its first change.
   * @throws the errors of `LogIdentity.admit`.
   */
  async admit(store: StoreName): Promise<void> {
    await (await this.settled)?.admit(store);
  }

  /** Ends the check after a failed start, so that nobody waits for its result. */
  giveUp(error: unknown): void {
    this.log.reject(error);
    for (const { reject } of this.slots.values()) reject(error);
  }

  private async settle(
    dependencies: Omit<IdentityDependencies, 'eventStore' | 'bindings'>,
    decide: (identity: LogIdentity) => Promise<void>,
  ): Promise<LogIdentity | null> {
    const names = [...this.slots.keys()];
    const [eventStore, ...found] = await Promise.all([
      this.log.promise,
      ...[...this.slots.values()].map(({ promise }) => promise),
    ]);
    if (!eventStore) return null;
    const bindings = new Map(names.map((name, at) => [name, found[at] as LogBinding]));
    const identity = new LogIdentity({ ...dependencies, eventStore, bindings });
    await decide(identity);
    return identity;
  }
}
