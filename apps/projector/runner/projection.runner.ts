import type { TenantRow } from '#read-model';

import { applyBatch } from '../projection/apply-batch.js';
import type { ProjectedEvent, TableProjection } from '../projection/projection.js';
import type { ProjectorContext } from '../projection/projector-context.js';
import { readEvent } from '../projection/read-event.js';
import { batches, type DeliveredBatch } from './batches.js';
import { SupervisedRunner, type RunnerOptions, type StoredPlace } from './supervised.runner.js';

/** Keeps one table up to date: a subscription filtered by what its projection handles, applied in order in batches. */
export class ProjectionRunner extends SupervisedRunner {
  private oldest: number | undefined;

  constructor(
    context: ProjectorContext,
    private readonly projection: TableProjection<TenantRow>,
    options: RunnerOptions = {},
  ) {
    super(context, projection.name, options);
  }

  protected pendingSince(): number | undefined {
    return this.oldest;
  }

  protected async follow(place: StoredPlace, stopping: AbortSignal): Promise<'again' | 'finished'> {
    const subscription = new AbortController();
    const deliveries = this.context.eventStore.subscribe({
      after: place.position ?? 'start',
      filter: { types: this.projection.handles },
      signal: AbortSignal.any([stopping, subscription.signal]),
    });
    try {
      for await (const batch of batches(deliveries, this.context.maxBatch)) {
        if (!(await this.take(batch, place.version))) return 'again';
        if (!batch.caughtUp) continue;
        this.becameLive();
        if (this.options.version !== undefined) return 'finished';
      }
      return stopping.aborted ? 'finished' : 'again';
    } finally {
      subscription.abort();
    }
  }

  /** @returns false when the checkpoint is not where this runner left it. */
  private async take(batch: DeliveredBatch, version: number): Promise<boolean> {
    if (batch.to === undefined) return true;
    this.oldest ??= batch.events[0]?.recordedAt.getTime();
    const events = batch.events.map(readEvent).filter((event): event is ProjectedEvent => event !== undefined);
    const { dataSource, logger } = this.context;
    const advance = await applyBatch(dataSource, this.projection, version, this.position, { events, to: batch.to });
    this.oldest = undefined;
    if (advance.outcome !== 'advanced') {
      logger.info({ projection: this.name, outcome: advance.outcome }, 'a checkpoint was moved by somebody else');
      return false;
    }
    this.advanced(batch.to, events.length);
    return true;
  }
}
