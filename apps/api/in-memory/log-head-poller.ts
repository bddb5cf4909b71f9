import type { Position } from '#contracts';
import { type EventStore, isPositionAhead } from '#event-store';
import { type Clock, type Logger, sleep, withTimeout } from '#platform';

import type { InMemoryProjection } from './in-memory-projection.js';

/** From the end of one look at the log to the next, milliseconds. */
const PAUSE_MS = 2_000;
/** A log that has not answered within this did not answer, milliseconds. */
const WITHIN_MS = 3_000;

export interface LogHeadPollerDependencies {
  readonly store: Pick<EventStore, 'head' | 'reaches' | 'subscribe'>;
  /** The projections to report to; read on every pass. */
  readonly projections: () => readonly InMemoryProjection[];
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Logger;
}

/**
 * Polls the head of the log, in addition to the subscriptions: a silent subscription may be cut
 * off. Each projection receives the position that it needs to match the log at that moment. While
 * the log does not answer, projections receive nothing and stop being ready.
 */
export class LogHeadPoller {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  /**
   * Position up to which the reported projections know the log; null at first, and after the log
   * lost it.
   */
  private seen: Position | null = null;
  private compared: ReadonlySet<InMemoryProjection> = new Set();
  private failing = false;

  constructor(private readonly dependencies: LogHeadPollerDependencies) {}

  start(): void {
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Looks once, within three seconds. Of failures the first is noted in the log of the process. */
  async beat(): Promise<void> {
    const { logger } = this.dependencies;
    const ended = new AbortController();
    try {
      const signal = AbortSignal.any([this.stopping.signal, ended.signal]);
      await withTimeout(this.look(signal), WITHIN_MS, 'The event log did not answer in time');
      if (this.failing) logger.info({}, 'log head poller: the event log answers again');
      this.failing = false;
    } catch (error) {
      if (isPositionAhead(error)) this.startOver();
      if (!this.failing)
        logger.warn(
          { err: error },
          'log head poller: reading the head of the log failed; retrying',
        );
      this.failing = true;
    } finally {
      ended.abort();
    }
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    do await this.beat();
    while (!signal.aborted && (await sleep(PAUSE_MS, signal)));
  }

  private async look(signal: AbortSignal): Promise<void> {
    const { store, projections, clock } = this.dependencies;
    const began = clock.monotonic();
    const head = await store.head();
    const provable = projections().filter((projection) => projection.provable);
    const newcomers = provable.filter((projection) => !this.compared.has(projection));
    if (provable.length === 0) return;
    const after = earliest([this.seen, ...newcomers.map(({ position }) => position)]);
    const newest = new Map<string, Position>();
    if (head !== null && (after === 'start' || after < head)) {
      const types = [...new Set(provable.flatMap((projection) => projection.types))];
      if (!(await this.collect(after, types, newest, signal))) return;
    } else if (after !== 'start' && after !== head && !(await store.reaches(after))) {
      // An older log was put back.
      return this.startOver();
    }
    if (signal.aborted) return;
    // A place may be past the newest event: that of a checkpoint.
    this.seen = after !== 'start' && (head === null || after > head) ? after : head;
    this.compared = new Set(provable);
    for (const projection of provable) projection.provenAt(began, latest(projection.types, newest));
  }

  /**
   * Notes the newest event of each type after a place. @returns false when the look was ended
   * before it had all types.
   */
  private async collect(
    after: Position | 'start',
    types: readonly string[],
    newest: Map<string, Position>,
    signal: AbortSignal,
  ): Promise<boolean> {
    for await (const delivery of this.dependencies.store.subscribe({
      after,
      filter: { types },
      signal,
    })) {
      if (delivery.kind === 'caught-up') return true;
      if (delivery.kind === 'event') newest.set(delivery.event.type, delivery.event.position);
    }
    return false;
  }

  /** Discards what was read from the log before. */
  private startOver(): void {
    this.seen = null;
    this.compared = new Set();
  }
}

function earliest(places: readonly (Position | 'start' | null)[]): Position | 'start' {
  const known = places.filter((place) => place !== null);
  if (known.includes('start')) return 'start';
  return known.reduce((first, place) => (place < first ? place : first), known[0] ?? 'start');
}

function latest(types: readonly string[], newest: ReadonlyMap<string, Position>): Position | null {
  const places = types.map((type) => newest.get(type)).filter((place) => place !== undefined);
  return places.reduce<Position | null>(
    (last, place) => (last === null || place > last ? place : last),
    null,
  );
}
