import type { Position } from '#contracts';
import type { EventStore } from '#event-store';
import type { Clock, Logger } from '#platform';

import type { Reactor, ReactorState } from './reactor.types.js';
import {
  type LastEvent,
  type OpenSnapshot,
  openSnapshot,
  removeStaleDrafts,
  SNAPSHOT_FORMAT,
  type SnapshotHeader,
  type SnapshotLine,
  writeSnapshot,
} from './snapshot-file.js';

export interface SnapshotsDependencies {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Path of the file; its folder is created. */
  readonly path: string;
  /** Returns the identity of the log; null for an empty log. */
  readonly logId: () => Promise<string | null>;
  readonly reactors: readonly Reactor[];
}

/** Place in the log that a folded state belongs to. */
export interface FoldedUpTo {
  readonly position: Position;
  readonly lastEvent: LastEvent;
}

export interface SaveOptions {
  readonly signal: AbortSignal;
  /**
   * Called right before the states are read; from then on nothing may be applied.
   * @returns the place that the states belong to; null to save nothing.
   */
  readonly begin: () => FoldedUpTo | null;
  /** Called when the states are read and may change again. */
  readonly onLinesRead: () => void;
}

type SavedReactor = Reactor & { readonly state: ReactorState };

/**
 * Saves and restores the folded states of all reactors, so that a start need not read the whole
 * log. A snapshot is disposable: one that does not fit is discarded and the log is folded from its
 * start.
 */
export class Snapshots {
  private readonly saved: readonly SavedReactor[];

  constructor(private readonly dependencies: SnapshotsDependencies) {
    this.saved = dependencies.reactors.filter(
      (reactor) => reactor.state !== undefined,
    ) as readonly SavedReactor[];
  }

  /**
   * Loads the snapshot into the reactors.
   * @returns where the fold continues; null if it starts over, with all states empty.
   * @throws an error of the log; the call may be repeated.
   */
  async restore(): Promise<FoldedUpTo | null> {
    const { path, clock, logger } = this.dependencies;
    const began = clock.monotonic();
    let snapshot: OpenSnapshot | null;
    try {
      await removeStaleDrafts(path, clock.now().getTime());
      snapshot = await openSnapshot(path);
    } catch (error) {
      return this.startOver((error as Error).message);
    }
    if (!snapshot) return this.startOver('there is none');
    try {
      const reason = (await this.mismatch(snapshot.header)) ?? (await this.load(snapshot));
      if (reason !== null) return this.startOver(reason);
    } finally {
      await snapshot.close();
    }
    const { position, last_event: lastEvent } = snapshot.header;
    const ms = Math.round(clock.monotonic() - began);
    logger.info({ position, ms }, 'reactors: snapshot loaded; folding newer events');
    return { position, lastEvent };
  }

  /**
   * Writes a snapshot of all states.
   * @throws the signal's reason, or an error of the disk or the log; the old snapshot stays then.
   */
  async save({ signal, begin, onLinesRead }: SaveOptions): Promise<void> {
    const { store, clock, logger, path, logId } = this.dependencies;
    const began = clock.monotonic();
    const log_id = await logId();
    if (log_id === null) throw new Error('the log has no identity');
    const folded = begin();
    if (folded === null) return;
    const header: SnapshotHeader = {
      format: SNAPSHOT_FORMAT,
      log_id,
      delivery_version: store.deliveryVersion,
      position: folded.position,
      last_event: folded.lastEvent,
      reactors: this.versions(),
    };
    const options = { signal, onLinesRead };
    const { lines, bytes } = await writeSnapshot(path, header, this.lines(), options);
    const ms = Math.round(clock.monotonic() - began);
    logger.debug({ position: folded.position, lines, bytes, ms }, 'reactors: snapshot saved');
  }

  /** @returns why the snapshot cannot be used; null if it can. */
  private async mismatch(header: SnapshotHeader): Promise<string | null> {
    const { store, logId } = this.dependencies;
    const { format, log_id, delivery_version, position, last_event, reactors } = header;
    if (format !== SNAPSHOT_FORMAT) return `format ${format} instead of ${SNAPSHOT_FORMAT}`;
    if (log_id !== (await logId())) return 'snapshot of another log';
    if (delivery_version !== store.deliveryVersion)
      return 'earlier subscriptions may have skipped events';
    if (versionsText(reactors) !== versionsText(this.versions()))
      return 'state of another version of the service';
    const head = await store.head();
    if (head === null || !(await store.reaches(position))) return 'snapshot ahead of the log';
    const from = BigInt(last_event.revision);
    for await (const event of store.read(last_event.stream, { from, limit: 1 })) {
      if (event.id === last_event.id && event.position === last_event.position) return null;
    }
    return 'the log has another history than the snapshot';
  }

  /** @returns why the lines cannot be loaded; null once they are. */
  private async load(snapshot: OpenSnapshot): Promise<string | null> {
    const states = new Map(this.saved.map(({ name, state }) => [name, state]));
    try {
      for await (const [name, line] of snapshot.lines()) states.get(name)?.load(line);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  private startOver(reason: string): null {
    for (const { state } of this.saved) state.clear();
    this.dependencies.logger.info(
      { reason },
      'reactors: snapshot not used; folding the log from its start',
    );
    return null;
  }

  private versions(): Record<string, number> {
    return Object.fromEntries(this.saved.map(({ name, state }) => [name, state.version]));
  }

  private *lines(): Generator<SnapshotLine> {
    for (const { name, state } of this.saved) {
      for (const line of state.save()) yield [name, line];
    }
  }
}

function versionsText(versions: Readonly<Record<string, number>>): string {
  return JSON.stringify(Object.entries(versions).sort(([a], [b]) => (a < b ? -1 : 1)));
}
