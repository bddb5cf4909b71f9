import type { Position, RecordedEvent } from '#contracts';
import {
  type EventStore,
  followLog,
  isUnreadableEvent,
  type SubscriptionDelivery,
  upcast,
} from '#event-store';
import { aborted, type Clock, type Logger, TimeSlices } from '#platform';

import type { Reactor } from './reactor.types.js';
import { ReactorLoop } from './reactor-loop.js';
import type { LastEvent } from './snapshot-file.js';
import { SnapshotSaver } from './snapshot-saver.js';
import type { FoldedUpTo, Snapshots } from './snapshots.js';

export interface ReactorsDependencies {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** In the order in which each event is applied to them. */
  readonly reactors: readonly Reactor[];
  readonly snapshots: Snapshots;
  /** Called when history is folded and before any run; again after a failure. */
  readonly onCaughtUp: () => Promise<void>;
}

const RESUBSCRIBE = { firstMs: 1_000, longestMs: 1_000 };
/** Most events of one stream that are folded without a pause between them. */
const MOST_TOGETHER = 16;
/** Time limit of the snapshot of an orderly stop, milliseconds. */
const STOP_LIMIT_MS = 3_000;

/**
 * Follows the log once for all reactors. Every process folds the events into all of them, so that
 * any process can take over at once; the process that leads also runs them. The fold starts at a
 * snapshot, or at the start of the log.
 */
export class Reactors {
  /** Position up to which the log is folded. */
  position: Position | null = null;
  /** True while this process runs the reactors. */
  leads = false;
  /** Why the log cannot be followed at the moment. */
  error: Error | null = null;
  /** Reactors that fold a type. */
  private readonly byType = new Map<string, Reactor[]>();
  /** Reactors that only notice a type. */
  private readonly noticing = new Map<string, Reactor[]>();
  private readonly loops = new Map<Reactor, ReactorLoop>();
  /** Reactors whose fold failed, with the error: their state is wrong from there on. */
  private readonly failed = new Map<Reactor, Error>();
  /** True once a reactor left out a tenant: a snapshot would hide the unreadable event. */
  private isIncomplete = false;
  private readonly folded = Promise.withResolvers<void>();
  private readonly slices = new TimeSlices();
  /** Events since the last place for a pause. */
  private together = 0;
  private isFolded = false;
  private lastEvent: LastEvent | null = null;
  private isRestored = false;
  private restoredAt: Position | null = null;
  private readonly saver: SnapshotSaver;

  constructor(private readonly dependencies: ReactorsDependencies) {
    const { reactors, logger } = dependencies;
    this.saver = new SnapshotSaver({ ...dependencies, foldedUpTo: () => this.foldedUpTo() });
    const position = () => this.position;
    for (const reactor of reactors) {
      this.loops.set(reactor, new ReactorLoop(reactor, { logger, position }));
      route(this.byType, reactor.eventTypes, reactor);
    }
  }

  /** Folds the log and runs what runs in every process, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([
      this.follow(signal),
      this.runLoops(signal, ({ runsEverywhere }) => runsEverywhere === true),
      this.saver.run(signal),
    ]);
    await this.saver.save(AbortSignal.timeout(STOP_LIMIT_MS));
  }

  /** Runs what only one process runs, from when history is folded until the signal aborts. */
  async lead(signal: AbortSignal): Promise<void> {
    try {
      await this.runLoops(
        signal,
        ({ runsEverywhere }) => runsEverywhere !== true,
        () => (this.leads = true),
      );
    } finally {
      this.leads = false;
    }
  }

  /** Returns the error of the last run or fold of a reactor; null if both succeeded. */
  errorOf(reactor: Reactor): Error | null {
    return this.failed.get(reactor) ?? this.loops.get(reactor)?.error ?? null;
  }

  private async runLoops(
    signal: AbortSignal,
    runsHere: (reactor: Reactor) => boolean,
    onStart?: () => void,
  ): Promise<void> {
    await Promise.race([this.folded.promise, aborted(signal)]);
    if (signal.aborted) return;
    onStart?.();
    const loops = [...this.loops].filter(([reactor]) => reactor.run && runsHere(reactor));
    await Promise.all(loops.map(([, loop]) => loop.run(signal)));
  }

  /** Folds history, then also follows the types that are only delivered live. */
  private async follow(signal: AbortSignal): Promise<void> {
    await this.subscribe(signal);
    if (!signal.aborted) await this.subscribe(signal);
  }

  /** Follows the types that are routed now, until the signal aborts or history is folded. */
  private subscribe(signal: AbortSignal): Promise<void> {
    const { store, logger } = this.dependencies;
    const start = this.position;
    return followLog({
      store,
      filter: { types: [...new Set([...this.byType.keys(), ...this.noticing.keys()])] },
      signal,
      from: async (reached) => reached ?? start ?? (await this.restored()) ?? 'start',
      take: (deliveries, taken) => this.take(deliveries, taken),
      backOff: RESUBSCRIBE,
      onFailure: (error) => {
        this.error = error as Error;
        logger.error(
          { err: error, after: this.position ?? 'start' },
          'reactors: lost the log; subscribing again',
        );
      },
    });
  }

  /** Loads the snapshot, once. @returns its position; null where the fold begins at the start. */
  private async restored(): Promise<Position | null> {
    if (this.isRestored) return this.restoredAt;
    const restored = await this.dependencies.snapshots.restore();
    this.isRestored = true;
    this.restoredAt = this.position = restored?.position ?? null;
    this.lastEvent = restored?.lastEvent ?? null;
    return this.restoredAt;
  }

  /** Folds deliveries. @returns `done` when history is folded. */
  private async take(
    deliveries: AsyncIterable<SubscriptionDelivery>,
    taken: (position?: Position) => void,
  ): Promise<'done' | 'again'> {
    for await (const delivery of deliveries) {
      this.error = null;
      if (delivery.kind === 'caught-up') {
        if (this.isFolded) continue;
        await this.caughtUp();
        return 'done';
      }
      if (this.slices.isUsedUp && !this.continuesAppend(delivery)) await this.slices.pause();
      if (this.saver.isReading) await this.saver.untilRead();
      taken(this.fold(delivery));
    }
    return 'again';
  }

  /**
   * Reports whether an event follows the last one in its stream, as events of one append do. No
   * reactor runs between a few of them: it would act on a job in the middle of an append.
   */
  private continuesAppend(delivery: SubscriptionDelivery): boolean {
    const last = this.lastEvent;
    const follows =
      delivery.kind === 'event' &&
      last?.stream === delivery.event.stream &&
      last.revision === String(delivery.event.revision - 1n);
    this.together = follows && this.together < MOST_TOGETHER ? this.together + 1 : 0;
    return this.together > 0;
  }

  private async caughtUp(): Promise<void> {
    await this.dependencies.onCaughtUp();
    for (const reactor of this.dependencies.reactors) {
      route(this.byType, reactor.liveEventTypes ?? [], reactor);
      route(this.noticing, reactor.noticedEventTypes ?? [], reactor);
      reactor.caughtUp?.();
    }
    this.isFolded = true;
    this.folded.resolve();
  }

  private fold(delivery: Exclude<SubscriptionDelivery, { kind: 'caught-up' }>): Position {
    if (delivery.kind === 'checkpoint') return (this.position = delivery.position);
    const { event } = delivery;
    const folding = this.byType.get(event.type) ?? [];
    if (folding.length > 0) this.foldInto(folding, event);
    for (const reactor of this.noticing.get(event.type) ?? [])
      this.guarded(reactor, event, () => reactor.notice?.(event) ?? false);
    const { stream, id, position, type } = event;
    this.lastEvent = { stream, revision: String(event.revision), id, position };
    this.saver.folded(type);
    return (this.position = position);
  }

  /** Applies an event. If it is unreadable, only the reactors that fold its type fail. */
  private foldInto(reactors: readonly Reactor[], event: RecordedEvent): void {
    let read: ReturnType<typeof upcast> | undefined;
    for (const reactor of reactors) {
      this.guarded(reactor, event, () => {
        try {
          read ??= upcast(event);
        } catch (error) {
          if (!reactor.unreadable || !isUnreadableEvent(error)) throw error;
          this.leaveOut(reactor, event, error);
          return false;
        }
        return read.kind === 'known' && reactor.apply(read.event);
      });
    }
  }

  /** Stops the work of a reactor for the tenant of an unreadable event. */
  private leaveOut(reactor: Reactor, event: RecordedEvent, error: Error): void {
    reactor.unreadable?.(event);
    this.isIncomplete = true;
    const { type, position, metadata } = event;
    this.dependencies.logger.error(
      { err: error, position, type, tenant_id: metadata.tenant_id },
      `reactor ${reactor.name}: an event could not be read; its tenant is left out until a restart`,
    );
  }

  private guarded(reactor: Reactor, event: RecordedEvent, take: () => boolean): void {
    if (this.failed.has(reactor)) return;
    try {
      if (take()) this.loops.get(reactor)?.request();
    } catch (error) {
      this.failed.set(reactor, error as Error);
      this.dependencies.logger.error(
        { err: error, position: event.position, type: event.type },
        `reactor ${reactor.name}: an event could not be applied; it ignores events until a restart`,
      );
    }
  }

  private foldedUpTo(): FoldedUpTo | null {
    const { position, lastEvent } = this;
    if (!this.isFolded || this.failed.size > 0 || this.isIncomplete) return null;
    return position === null || lastEvent === null ? null : { position, lastEvent };
  }
}

function route(routes: Map<string, Reactor[]>, types: readonly string[], reactor: Reactor): void {
  for (const type of types) routes.set(type, [...(routes.get(type) ?? []), reactor]);
}
