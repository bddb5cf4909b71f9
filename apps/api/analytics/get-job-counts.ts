import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { AnalyticsQuery, JobsAnalyticsView } from '#contracts/http/index';
import { CLOCK, type Clock } from '#platform';

import type { Caller } from '../auth/caller.js';
import { Handles } from '../use-cases/handles.js';
import { TimeBuckets } from './time-buckets.js';
import { TrailEvents } from './trail-events.js';

/** Counts the sync jobs of the caller's tenant by their fate. */
export class GetJobCounts extends Query<JobsAnalyticsView> {
  constructor(
    readonly caller: Caller,
    readonly query: AnalyticsQuery,
  ) {
    super();
  }
}

const FATES = {
  JobRequested: 'requested',
  JobCompleted: 'completed',
  JobFailed: 'failed',
  JobCancelled: 'cancelled',
} as const;
type Counted = keyof typeof FATES;
const TYPES = Object.keys(FATES) as Counted[];

@Handles(GetJobCounts)
export class GetJobCountsHandler implements IQueryHandler<GetJobCounts> {
  constructor(
    private readonly trail: TrailEvents,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ caller, query }: GetJobCounts): Promise<JobsAnalyticsView> {
    const period = TimeBuckets.of(query, this.clock.now());
    const buckets = period.rows(() => ({ requested: 0, completed: 0, failed: 0, cancelled: 0 }));
    for await (const rows of this.trail.rows(caller.tenantId, TYPES, period)) {
      for (const { type, recorded_at } of rows) {
        const bucket = buckets[period.indexOf(recorded_at)];
        if (bucket) bucket[FATES[type as Counted]] += 1;
      }
    }
    return { buckets };
  }
}
