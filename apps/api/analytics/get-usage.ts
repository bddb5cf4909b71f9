import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { AnalyticsQuery, UsageAnalyticsView } from '#contracts/http/index';
import { CLOCK, type Clock } from '#platform';

import type { Caller } from '../auth/caller.js';
import { Handles } from '../use-cases/handles.js';
import { TimeBuckets } from './time-buckets.js';
import { TrailEvents } from './trail-events.js';

/** Counts the metered units of the caller's tenant. */
export class GetUsage extends Query<UsageAnalyticsView> {
  constructor(
    readonly caller: Caller,
    readonly query: AnalyticsQuery,
  ) {
    super();
  }
}

@Handles(GetUsage)
export class GetUsageHandler implements IQueryHandler<GetUsage> {
  constructor(
    private readonly trail: TrailEvents,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ caller, query }: GetUsage): Promise<UsageAnalyticsView> {
    const period = TimeBuckets.of(query, this.clock.now());
    const buckets = period.rows(() => ({ search: 0, chat: 0, rover: 0 }));
    const types = ['QuotaConsumed', 'QuotaReturned'] as const;
    for await (const page of this.trail.pages(caller.tenantId, types, period)) {
      for (const { row, event } of page) {
        const bucket = buckets[period.indexOf(row.recorded_at)];
        const { metric, amount } = event.data;
        if (bucket) bucket[metric] += event.type === 'QuotaConsumed' ? amount : -amount;
      }
    }
    return { buckets };
  }
}
