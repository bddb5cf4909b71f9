import type { Position } from '#contracts';
import { readEvent } from '#event-store';
import type { BlobStore } from '#platform';
import { advanceCheckpoint, asProjector, liveVersion } from '#read-model';

import { batches, type DeliveredBatch } from '../runner/batches.js';
import { IDLE_CHECKPOINT_MS } from '../runner/pauses.js';
import type { ProjectorContext } from '../runner/projector-context.js';
import {
  type RunnerOptions,
  type RunnerSubscription,
  type StoredCheckpoint,
  SupervisedRunner,
} from '../runner/supervised.runner.js';
import { ContentInspection } from './content-inspection.js';
import { DropSet } from './drop-set.js';
import { GenerationLoader, type LoadedIndex } from './generation-loader.js';
import { GenerationRows } from './generation-rows.js';
import { INDEX_PROJECTION, IndexProjection } from './index.projection.js';
import { KeyedWork } from './keyed-work.js';

export interface IndexRunnerDependencies {
  readonly searchIndex: LoadedIndex;
  readonly blobs: BlobStore;
}

/** Generations loaded at once. */
const PARALLEL = 2;
/** Events read ahead of unfinished work. */
const MAX_UNFINISHED = 1_000;
/**
 * Maximum age of the stored checkpoint behind the rows, in milliseconds. It saves a transaction for
 * each of many generations that finish together.
 */
const CHECKPOINT_MS = 250;

type IndexEvent = Parameters<IndexProjection['apply']>[0];

/**
 * Keeps the search index up to date. Different sources load in parallel, each source in order, so
 * that a huge one delays no other.
 */
export class IndexRunner extends SupervisedRunner {
  private work = new KeyedWork(PARALLEL);

  constructor(
    context: ProjectorContext,
    private readonly dependencies: IndexRunnerDependencies,
    options: RunnerOptions = {},
  ) {
    super(context, INDEX_PROJECTION.name, INDEX_PROJECTION.handles, options);
  }

  protected pendingSince(): number | undefined {
    return this.work.oldestSince;
  }

  protected async follow(subscription: RunnerSubscription): Promise<'again' | 'done'> {
    const { checkpoint, deliveries, stopping, end } = subscription;
    const ending = new AbortController();
    // Work that fails while deliveries run ends both.
    ending.signal.addEventListener('abort', end, { once: true });
    const signal = AbortSignal.any([stopping, ending.signal]);
    const session = new IndexSession(this.context, this.dependencies, checkpoint, signal, () =>
      ending.abort(),
    );
    this.work = session.work;
    session.onReached = (position, events) => this.advanced(position, events);
    let inspected: Promise<void> | undefined;
    try {
      await session.prepare();
      if (this.options.version === undefined) {
        await this.tellChanged(session);
        inspected = this.inspect(session, signal);
      }
      for await (const batch of batches(deliveries, this.context.maxBatch)) {
        await session.take(batch);
        if (!batch.caughtUp) continue;
        const live = session.drained().then(() => {
          session.check();
          this.becameLive();
        });
        // A failure ends the subscription and is thrown below; a huge load must not delay new
        // events.
        live.catch(() => undefined);
        if (this.options.version === undefined) continue;
        await live;
        // A new version has the same rows as the live one, missing content included.
        await session.inspect();
        return 'done';
      }
      session.check();
      return 'again';
    } catch (error) {
      if (!(await this.isReplaced(checkpoint.version))) throw error;
      this.context.logger.info(
        { projection: this.name, version: checkpoint.version },
        'rows were replaced by a rebuild; following the new version',
      );
      return 'again';
    } finally {
      ending.abort();
      session.stopIdling();
      await session.drained();
      await inspected;
    }
  }

  /**
   * Returns true if a rebuild replaced the live version that this runner fills. Its table and
   * checkpoint are gone, so the next write fails, which is no failure of the projection.
   */
  private async isReplaced(version: number): Promise<boolean> {
    if (this.options.version !== undefined) return false;
    const { dataSource } = this.context;
    // While the engine is unavailable the first error counts.
    const live = await asProjector(dataSource, (manager) => liveVersion(manager, this.name)).catch(
      () => undefined,
    );
    return live !== undefined && live.version !== version;
  }

  /** Checks the content of everything that is loaded, while new events are processed. */
  private async inspect(session: IndexSession, signal: AbortSignal): Promise<void> {
    try {
      if ((await session.inspect()) > 0) await this.tellChanged(session);
    } catch (error) {
      if (signal.aborted) return;
      this.context.logger.warn(
        { error: String(error) },
        'content of loaded generations could not be checked',
      );
    }
  }

  /** Reports rows that changed without an event to readers that cache them. */
  private async tellChanged(session: IndexSession): Promise<void> {
    const position = await session.tell();
    if (position !== null) this.context.progress.report(this.name, position);
  }
}

/**
 * One subscription's life: its work in flight, and the checkpoint that follows the lowest
 * unfinished position.
 */
class IndexSession {
  readonly work: KeyedWork;
  /** Called with the position that the rows have reached and the number of applied events. */
  onReached: (position: Position, events: number) => void = () => undefined;
  private readonly projection: IndexProjection;
  private readonly rows: GenerationRows;
  private readonly inspection: ContentInspection;
  private readonly drops = new DropSet();
  private storing: Promise<void> = Promise.resolve();
  private stored: StoredCheckpoint['position'];
  private reached: StoredCheckpoint['position'];
  private applied = 0;
  private failure: { readonly error: unknown } | undefined;
  private idle: NodeJS.Timeout | undefined;
  private storesWithinMs = Infinity;

  constructor(
    private readonly context: ProjectorContext,
    dependencies: IndexRunnerDependencies,
    private readonly checkpoint: StoredCheckpoint,
    private readonly signal: AbortSignal,
    private readonly end: () => void,
  ) {
    this.stored = this.reached = checkpoint.position;
    this.work = new KeyedWork(PARALLEL, () => this.settled());
    const { searchIndex, blobs } = dependencies;
    const { logger } = context;
    const rows = (this.rows = new GenerationRows(context.dataSource, checkpoint.version));
    this.inspection = new ContentInspection({ blobs, rows, logger, signal });
    this.projection = new IndexProjection({
      searchIndex,
      loader: new GenerationLoader(searchIndex, blobs, logger),
      rows,
      drops: this.drops,
      signal,
    });
  }

  /** Learns what is dropped further on and loads again what the index lost. */
  async prepare(): Promise<void> {
    await this.drops.scan(this.context.eventStore, this.checkpoint.position, this.signal);
    await this.projection.repair();
  }

  /** Notes what is missing of the content of what is loaded. @returns how many rows it changed. */
  inspect(): Promise<number> {
    return this.inspection.run();
  }

  /**
   * Notifies other processes that rows changed.
   *
   * @returns the checkpoint of the rows.
   */
  tell(): Promise<Position | null> {
    return this.rows.tell();
  }

  async take(batch: DeliveredBatch): Promise<void> {
    for (const recorded of batch.events) {
      const event = readEvent(recorded) as IndexEvent | undefined;
      if (!event) continue;
      this.drops.note(event);
      // The end of a tenant comes after everything of its sources, each of which is in an order of
      // its own.
      if (event.type === 'TenantErased') await this.work.drained();
      const key =
        event.type === 'TenantErased'
          ? event.tenant_id
          : `${event.tenant_id}/${event.data.source_id}`;
      this.work.add(key, event.position, recorded.recordedAt.getTime(), async () => {
        this.signal.throwIfAborted();
        await this.projection.apply(event);
        this.applied += 1;
      });
    }
    if (batch.to !== undefined) {
      this.work.pass(batch.to);
      this.settled(batch.events.length > 0 ? CHECKPOINT_MS : IDLE_CHECKPOINT_MS);
    }
    if (batch.caughtUp) this.storeNow();
    if (this.work.unfinished > MAX_UNFINISHED) await this.work.drained();
  }

  /** Resolves when nothing is in flight and the checkpoint is stored. */
  async drained(): Promise<void> {
    await this.work.drained();
    this.storeNow();
    await this.storing;
  }

  /** @throws what a piece of work or the checkpoint failed with. */
  check(): void {
    const failure = this.work.failed ?? this.failure;
    if (failure) throw failure.error;
  }

  stopIdling(): void {
    clearTimeout(this.idle);
    this.idle = undefined;
  }

  /**
   * Reports progress to waiting callers at once, since the rows have everything up to there. One
   * later checkpoint covers all work that ends in between, if all waiting callers get such reports.
   */
  private settled(storeWithinMs = CHECKPOINT_MS): void {
    if (this.work.failed) this.end();
    const to = this.work.checkpoint;
    if (to === null || (this.reached !== null && to <= this.reached)) return;
    this.reached = to;
    const { applied } = this;
    this.applied = 0;
    this.onReached(to, applied);
    if (!this.context.progress.isLocal && storeWithinMs < IDLE_CHECKPOINT_MS)
      return this.storeNow();
    if (storeWithinMs < this.storesWithinMs) this.stopIdling();
    this.storesWithinMs = Math.min(storeWithinMs, this.storesWithinMs);
    this.idle ??= setTimeout(() => this.storeNow(), storeWithinMs);
  }

  private storeNow(): void {
    this.stopIdling();
    this.storesWithinMs = Infinity;
    this.storing = this.storing
      .then(() => this.store())
      .catch((error: unknown) => {
        this.failure ??= { error };
        this.end();
      });
  }

  private async store(): Promise<void> {
    const to = this.work.checkpoint;
    if (this.failure || to === null || (this.stored !== null && to <= this.stored)) return;
    const { version } = this.checkpoint;
    const advance = await asProjector(this.context.dataSource, (manager) =>
      advanceCheckpoint(manager, { name: INDEX_PROJECTION.name, version }, this.stored, to, null),
    );
    if (advance.outcome !== 'advanced')
      throw new Error(`The checkpoint was moved by somebody else: ${advance.outcome}`);
    this.stored = to;
  }
}
