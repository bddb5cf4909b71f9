import type { DomainEvent } from '#contracts';
import { type Clock, type Logger, sleep } from '#platform';

import type { FoldedUpTo, Snapshots } from './snapshots.js';

export interface SnapshotSaverDependencies {
  readonly snapshots: Pick<Snapshots, 'save'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Returns the place that the states belong to now; null while they must not be saved. */
  readonly foldedUpTo: () => FoldedUpTo | null;
}

/** Interval between checks of the need for a snapshot, milliseconds. */
const CHECK_MS = 5_000;
/** A snapshot is due after this time, if anything was folded, milliseconds. */
const EVERY_MS = 600_000;
/** A snapshot is due after this number of folded events. */
const EVERY_EVENTS = 50_000;
/** A snapshot that takes longer is abandoned, milliseconds: while it is read, nothing is folded. */
const LIMIT_MS = 60_000;
/** Events that make a snapshot due: the old one still names what they erased. */
const DUE_AFTER: ReadonlySet<string> = new Set<DomainEvent['type']>(['TenantErased']);

/** Decides when a snapshot is saved, and holds back the fold while the states are read. */
export class SnapshotSaver {
  private events = 0;
  private isRequested = false;
  private savedAt: number;
  /** Resolves when the states are read; undefined while no snapshot reads them. */
  private reading: Promise<void> | undefined;

  constructor(private readonly dependencies: SnapshotSaverDependencies) {
    this.savedAt = dependencies.clock.monotonic();
  }

  /** Resolves when the states may change. No other wait may lie between this and the change. */
  async untilRead(): Promise<void> {
    while (this.reading) await this.reading;
  }

  /** True while the states must not change. */
  get isReading(): boolean {
    return this.reading !== undefined;
  }

  /** Counts a folded event. */
  folded(type: string): void {
    this.events += 1;
    this.isRequested ||= DUE_AFTER.has(type);
  }

  /** Saves snapshots when they are due, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (await sleep(CHECK_MS, signal)) {
      const age = this.dependencies.clock.monotonic() - this.savedAt;
      if (!this.isRequested && this.events < EVERY_EVENTS && age < EVERY_MS) continue;
      await this.save(AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]));
    }
  }

  /** Saves a snapshot if anything was folded since the last one. Errors are logged. */
  async save(signal: AbortSignal): Promise<void> {
    const { snapshots, clock, logger, foldedUpTo } = this.dependencies;
    if (this.events === 0 || foldedUpTo() === null) return;
    this.savedAt = clock.monotonic();
    const read = Promise.withResolvers<void>();
    const onLinesRead = (): void => {
      this.reading = undefined;
      read.resolve();
    };
    let [events, isRequested] = [0, false];
    const begin = (): FoldedUpTo | null => {
      this.reading = read.promise;
      [events, isRequested] = [this.events, this.isRequested];
      [this.events, this.isRequested] = [0, false];
      return foldedUpTo();
    };
    try {
      await snapshots.save({ signal, begin, onLinesRead });
    } catch (error) {
      this.events += events;
      this.isRequested ||= isRequested;
      logger.warn({ err: error }, 'reactors: snapshot could not be saved; keeping the old one');
    } finally {
      onLinesRead();
    }
  }
}
