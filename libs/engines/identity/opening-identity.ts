import type { EventStore } from '#event-store';
import type { BoundToLog, LogBinding } from '#platform';

import { type IdentityDependencies, LogIdentity } from './log-identity.js';
import type { StoreName } from './stores.js';

type Slots = ReadonlyMap<StoreName, PromiseWithResolvers<LogBinding>>;

/**
 * The identity check of a start while its engines are opening: each gives its binding as soon as it
 * can be asked, and what would remove something waits for the verdict.
 */
export class OpeningIdentity {
  private readonly slots: Slots;
  private readonly log = Promise.withResolvers<EventStore | null>();
  /**
   * Log and stores, once all are open and found to belong together; null where the log is not
   * opened.
   */
  readonly settled: Promise<LogIdentity | null>;

  /**
   * @param stores whose bindings are waited for @param decide what is done with them; what it
   * throws ends the start
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

  /** The log is open; null: it will not be opened. */
  begin(eventStore: EventStore | null): void {
    this.log.resolve(eventStore);
  }

  /** A store can be asked. */
  offer(store: StoreName, { logBinding }: BoundToLog): void {
    this.slots.get(store)?.resolve(logBinding);
  }

  /**
   * Before the first change of a store that the process started without. @throws as
   * `LogIdentity.admit`
   */
  async admit(store: StoreName): Promise<void> {
    await (await this.settled)?.admit(store);
  }

  /** The start has failed: nobody is to wait for a verdict. */
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
