import { isFootnoteError } from '#contracts';
import { type EventStore, readLogId } from '#event-store';
import type { Clock, Config, LogBinding, Logger, LogId } from '#platform';

import type { DataFolders } from '../data-folders.js';
import { type ClassifiedStore, classify, readStanding, type Standing } from './classify-stores.js';
import { createLog } from './create-log.js';
import { lostKeyRing, otherLog } from './other-log-error.js';
import { hasSealedText } from './sealed-text.js';
import { type Places, placesOf, type StoreName } from './stores.js';

export interface IdentityDependencies {
  readonly eventStore: EventStore;
  /** The open stores, each with its binding. */
  readonly bindings: ReadonlyMap<StoreName, LogBinding>;
  readonly config: Pick<Config, 'engines' | 'dataDir'>;
  readonly folders: DataFolders;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * True if stores are about to be bound to another log, so that none is rejected. Default false.
   */
  readonly adopting?: boolean;
}

/**
 * Stores that a process starts without if their server is unavailable: each is checked before its
 * first change.
 */
const MAY_BE_AWAY: readonly StoreName[] = ['searchIndex'];
/** Never checked during the start, because an unavailable Kafka must not delay a projector. */
const ASKED_LATER: readonly StoreName[] = ['feed'];

/** Ensures that a log and its stores belong together. */
export class LogIdentity {
  readonly places: Places;
  /** Stores that belong to the log, checked or bound. */
  private readonly admitted = new Set<StoreName>();

  constructor(private readonly dependencies: IdentityDependencies) {
    this.places = placesOf(dependencies.config, dependencies.folders);
  }

  /**
   * Reads log and stores again. Changes nothing.
   * @throws FootnoteError `engine_unavailable`.
   */
  async standing(
    stores: readonly StoreName[] = [...this.dependencies.bindings.keys()],
  ): Promise<Standing> {
    const { eventStore } = this.dependencies;
    const reading = stores.map((store) => readStanding(store, this.bindingOf(store)));
    const [log, ...standings] = await Promise.all([readLogId(eventStore), ...reading]);
    // Processes that start a service together bind stores after the log's first event, so an empty
    // log may have got it since.
    return classify(log ?? (await readLogId(eventStore)), standings);
  }

  /**
   * Runs first in a start: starts an empty log with empty stores, and binds unbound stores.
   * @throws OtherLogError, with nothing changed, if they do not belong together.
   */
  async settle(): Promise<void> {
    const names = [...this.dependencies.bindings.keys()].filter(
      (store) => !ASKED_LATER.includes(store),
    );
    // A caller that opens only the log does not change it.
    if (names.length === 0 || this.dependencies.adopting) return;
    const present = await Promise.all(
      names.map(async (store) => ((await this.isAway(store)) ? null : store)),
    );
    const standing = await this.standing(present.filter((store) => store !== null));
    if (standing.refused.length > 0) throw this.refusal(standing, standing.refused);
    if (await this.isKeyRingLost(standing)) {
      throw lostKeyRing(
        standing,
        this.places,
        this.dependencies.config.engines.postgres === undefined,
      );
    }
    const log =
      standing.log ?? (await createLog(this.dependencies.eventStore, this.dependencies.clock));
    const begun = standing.log === null;
    // The ring first: bound content with an unbound ring means a lost ring.
    const [rings, others] = partition(standing.stores, ({ store }) => store === 'keyRing');
    for (const stores of [rings, others])
      await Promise.all(stores.map((store) => this.take(store, log, begun)));
  }

  /**
   * Checks a store that was unavailable at the start before its first change; binds it if it is
   * unbound.
   * @throws OtherLogError; FootnoteError `engine_unavailable`: try again.
   */
  async admit(store: StoreName): Promise<void> {
    if (this.dependencies.adopting || this.admitted.has(store)) return;
    const standing = await this.standing([store]);
    const [found] = standing.stores;
    const refused = standing.log === null ? standing.stores : standing.refused;
    if (refused.length > 0 || standing.log === null || !found)
      throw this.refusal(standing, refused);
    await this.take(found, standing.log, false);
  }

  /** Returns the current identity of the log; null for a log without events. */
  logId(): Promise<LogId | null> {
    return readLogId(this.dependencies.eventStore);
  }

  /**
   * @throws OtherLogError unless the log and these stores, read again, are bound to each other at
   * this moment.
   */
  async confirm(...stores: readonly StoreName[]): Promise<void> {
    const standing = await this.standing(stores);
    const others = standing.stores.filter(({ state }) => state !== 'same');
    if (others.length > 0) throw this.refusal(standing, others);
  }

  /**
   * Binds every store to the current log; an empty log is started first.
   * @param prepare receives each store with content of another log before it is bound. After a
   * failure the binding is unchanged, so a repetition does the rest.
   * @returns the previous state.
   */
  async adopt(
    prepare: (store: ClassifiedStore) => Promise<void>,
  ): Promise<{ readonly log: LogId; readonly before: Standing }> {
    const before = await this.standing();
    const others = before.stores.filter(({ state }) => state !== 'same');
    for (const store of others) {
      if (store.state === 'foreign' || (before.log === null && store.state === 'unbound'))
        await prepare(store);
    }
    // Not earlier: with events in the log, an unbound store counts as this log's.
    const log =
      before.log ?? (await createLog(this.dependencies.eventStore, this.dependencies.clock));
    for (const { store } of others) await this.bindingOf(store).bind(log);
    return { log, before };
  }

  /**
   * Reports whether the key ring is lost. A ring that was never bound and has no keys is new,
   * unless something proves an earlier one. The proof is sealed text in the log or, if both are in
   * the data folder, bound content.
   */
  private async isKeyRingLost({ log, stores }: Standing): Promise<boolean> {
    const { config, eventStore } = this.dependencies;
    if (log === null || !stores.some(({ store, state }) => store === 'keyRing' && state === 'new'))
      return false;
    const together = config.engines.postgres === undefined && config.engines.s3 === undefined;
    if (together && stores.some(({ store, state }) => store === 'blobs' && state === 'same'))
      return true;
    return hasSealedText(eventStore);
  }

  private refusal(standing: Standing, culprits: readonly ClassifiedStore[]): Error {
    return otherLog(standing, culprits, this.places, this.dependencies.config.dataDir);
  }

  private async take({ store, state }: ClassifiedStore, log: LogId, begun: boolean): Promise<void> {
    if (state !== 'same') {
      await this.bindingOf(store).bind(log);
      const { title, place } = this.places(store);
      const what = state === 'new' ? 'an empty store' : 'a store of an older version';
      if (!begun)
        this.dependencies.logger.info(
          { store: title, place, log },
          `log identity: ${what} was bound to the log`,
        );
    }
    this.admitted.add(store);
  }

  private async isAway(store: StoreName): Promise<boolean> {
    if (!MAY_BE_AWAY.includes(store)) return false;
    return this.bindingOf(store)
      .boundTo()
      .then(
        () => false,
        (error: unknown) => {
          if (isFootnoteError(error, 'engine_unavailable')) return true;
          throw error;
        },
      );
  }

  private bindingOf(store: StoreName): LogBinding {
    const binding = this.dependencies.bindings.get(store);
    if (!binding) throw new Error(`The ${this.places(store).title} were not opened here`);
    return binding;
  }
}

function partition<T>(all: readonly T[], belongs: (each: T) => boolean): [T[], T[]] {
  return [all.filter(belongs), all.filter((each) => !belongs(each))];
}
