import type { Position } from '#contracts';

import type { BatchProjection } from './batch-projection.js';
import { batches, type DeliveredBatch } from './batches.js';
import { Pace } from './pace.js';
import { IDLE_CHECKPOINT_MS, LOCAL_IDLE_CHECKPOINT_MS } from './pauses.js';
import type { ProjectorContext } from './projector-context.js';
import {
  type RunnerOptions,
  type RunnerSubscription,
  SupervisedRunner,
} from './supervised.runner.js';

/**
 * Transactions a second, in the long run, while nobody waits for this projection: of many syncs at
 * once, each event would otherwise be one. A single sync stays within the burst.
 */
const PACE = { perSecond: 5, burst: 20 };

/**
 * Keeps one table up to date: reads a subscription, filtered by the event types of its projection,
 * and applies it in order in batches.
 */
export class ProjectionRunner extends SupervisedRunner {
  private oldest: number | undefined;
  /**
   * The checkpoint as it is stored; `position` is past it while only events that concern nobody
   * here came.
   */
  private written: Position | null = null;
  private writing: Promise<unknown> = Promise.resolve();
  private idle: NodeJS.Timeout | undefined;
  private readonly pace = new Pace(PACE);

  constructor(
    context: ProjectorContext,
    private readonly projection: BatchProjection,
    options: RunnerOptions = {},
  ) {
    super(context, projection.name, projection.types, options);
  }

  protected pendingSince(): number | undefined {
    return this.oldest;
  }

  protected async follow({
    checkpoint,
    deliveries,
    stopping,
  }: RunnerSubscription): Promise<'again' | 'done'> {
    this.written = checkpoint.position;
    try {
      for await (const batch of batches(deliveries, this.context.maxBatch)) {
        if (!(await this.take(batch, checkpoint.version))) return 'again';
        await this.gather(batch, stopping);
        if (!batch.caughtUp) continue;
        this.becameLive();
        if (this.options.version !== undefined) return 'done';
      }
      return 'again';
    } finally {
      this.stopIdling();
      await this.writing;
    }
  }

  /**
   * Waits for more events before the next transaction. Only if all callers that wait for this
   * projection are known.
   */
  private async gather({ events }: DeliveredBatch, stopping: AbortSignal): Promise<void> {
    const { progress } = this.context;
    if (this.state !== 'live' || events.length === 0 || !progress.isLocal) return;
    const pause = this.pace.next(performance.now());
    if (pause > 0) await progress.untilWanted(this.projection.name, pause, stopping);
  }

  /** @returns false when the checkpoint is not where this runner left it. */
  private async take(batch: DeliveredBatch, version: number): Promise<boolean> {
    if (batch.to !== undefined && batch.events.length === 0 && !batch.caughtUp) {
      this.passOver(batch.to, version);
      return true;
    }
    const to = batch.to ?? this.position;
    if (to === null || to === this.written) return true;
    this.stopIdling();
    await this.writing;
    this.oldest ??= batch.events[0]?.recordedAt.getTime();
    const { dataSource, logger } = this.context;
    const { events } = batch;
    const from = this.written;
    const advance = await this.traced(events.length, () =>
      this.projection.commit(dataSource, version, from, { events, to }),
    );
    this.oldest = undefined;
    if (advance.outcome !== 'advanced') {
      logger.info(
        { projection: this.name, outcome: advance.outcome },
        'a checkpoint was moved by somebody else',
      );
      return false;
    }
    this.written = to;
    this.advanced(to, events.length);
    return true;
  }

  /** Runs the transaction of live events as a span; history is not traced. */
  private traced<T>(events: number, commit: () => Promise<T>): Promise<T> {
    if (this.state !== 'live' || events === 0) return commit();
    const attributes = { 'footnote.events': events };
    return this.context.tracer.span(`projection ${this.name}`, { attributes }, commit);
  }

  /**
   * Events that this projection does not handle need no transaction each. Waiting callers get the
   * progress at once, since the rows have everything up to there; the checkpoint follows within
   * seconds.
   */
  private passOver(to: Position, version: number): void {
    this.advanced(to, 0);
    const { isLocal } = this.context.progress;
    const pause = isLocal ? LOCAL_IDLE_CHECKPOINT_MS : IDLE_CHECKPOINT_MS;
    this.idle ??= setTimeout(() => {
      this.idle = undefined;
      this.writing = this.writeIdle(version).catch(() => undefined);
    }, pause);
  }

  /** If this fails or finds another checkpoint, the next batch does too and reports it. */
  private async writeIdle(version: number): Promise<void> {
    const to = this.position;
    if (to === null || to === this.written) return;
    const step = { events: [], to };
    const { dataSource } = this.context;
    const { outcome } = await this.projection.commit(dataSource, version, this.written, step);
    if (outcome === 'advanced') this.written = to;
  }

  private stopIdling(): void {
    clearTimeout(this.idle);
    this.idle = undefined;
  }
}
