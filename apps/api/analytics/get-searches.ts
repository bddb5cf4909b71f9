import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type {
  AnalyticsQuery,
  NoEvidenceAnalyticsView,
  SearchesAnalyticsView,
} from '#contracts/http/index';
import { CLOCK, type Clock } from '#platform';

import type { Caller } from '../auth/caller.js';
import { Handles } from '../use-cases/handles.js';
import { TimeBuckets } from './time-buckets.js';
import { TrailEvents } from './trail-events.js';

/** Counts the caller's searches by kind. */
export class GetSearches extends Query<SearchesAnalyticsView> {
  constructor(
    readonly caller: Caller,
    readonly query: AnalyticsQuery,
  ) {
    super();
  }
}

@Handles(GetSearches)
export class GetSearchesHandler implements IQueryHandler<GetSearches> {
  constructor(
    private readonly trail: TrailEvents,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ caller, query }: GetSearches): Promise<SearchesAnalyticsView> {
    const period = TimeBuckets.of(query, this.clock.now());
    const buckets = period.rows(() => ({ searches: 0, search: 0, rmh: 0, chat: 0, code: 0 }));
    for await (const page of this.trail.searches(caller.tenantId, period)) {
      for (const { row, receipt } of page) {
        const bucket = buckets[period.indexOf(row.recorded_at)];
        if (!bucket) continue;
        bucket.searches += 1;
        bucket[receipt.kind] += 1;
      }
    }
    return { buckets };
  }
}

/** Counts the caller's searches without evidence. */
export class GetNoEvidence extends Query<NoEvidenceAnalyticsView> {
  constructor(
    readonly caller: Caller,
    readonly query: AnalyticsQuery,
  ) {
    super();
  }
}

@Handles(GetNoEvidence)
export class GetNoEvidenceHandler implements IQueryHandler<GetNoEvidence> {
  constructor(
    private readonly trail: TrailEvents,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ caller, query }: GetNoEvidence): Promise<NoEvidenceAnalyticsView> {
    const period = TimeBuckets.of(query, this.clock.now());
    const buckets = period.rows(() => ({ searches: 0, no_evidence: 0 }));
    for await (const page of this.trail.searches(caller.tenantId, period)) {
      for (const { row, receipt } of page) {
        const bucket = buckets[period.indexOf(row.recorded_at)];
        if (!bucket) continue;
        bucket.searches += 1;
        if (receipt.outcome === 'no_evidence') bucket.no_evidence += 1;
      }
    }
    return {
      buckets: buckets.map(({ searches, no_evidence, ...rest }) => {
        const share = searches === 0 ? null : no_evidence / searches;
        return { ...rest, searches, no_evidence, share };
      }),
    };
  }
}
