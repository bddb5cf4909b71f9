import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { AnalyticsQuery, StaleHitsAnalyticsView } from '#contracts/http/index';
import { CLOCK, type Clock } from '#platform';
import { lastSyncs } from '#read-model';
import { freshnessDays, isStale } from '#retrieval';

import type { Caller } from '../auth/caller.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { PastPolicies } from '../history/past-policies.js';
import { Handles } from '../use-cases/handles.js';
import { TimeBuckets } from './time-buckets.js';
import { type ReceiptedSearch, TrailEvents } from './trail-events.js';

/** Counts results of sources that were past the staleness budget of that time. */
export class GetStaleHits extends Query<StaleHitsAnalyticsView> {
  constructor(
    readonly caller: Caller,
    readonly query: AnalyticsQuery,
  ) {
    super();
  }
}

@Handles(GetStaleHits)
export class GetStaleHitsHandler implements IQueryHandler<GetStaleHits> {
  constructor(
    private readonly trail: TrailEvents,
    private readonly past: PastPolicies,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ caller: { tenantId }, query }: GetStaleHits): Promise<StaleHitsAnalyticsView> {
    const period = TimeBuckets.of(query, this.clock.now());
    const buckets = period.rows(() => ({
      searches: 0,
      stale_searches: 0,
      source_hits: 0,
      stale_source_hits: 0,
    }));
    const budgets = new Map<number | null, number>();
    for await (const searches of this.trail.searches(tenantId, period)) {
      const ages = await this.agesOf(tenantId, searches);
      for (const [index, { row, receipt }] of searches.entries()) {
        const bucket = buckets[period.indexOf(row.recorded_at)];
        const own = ages[index] ?? [];
        if (!bucket) continue;
        const budget = await this.budget(budgets, tenantId, receipt.policy_revision);
        const stale = own.filter((age) => isStale(age, budget)).length;
        bucket.searches += 1;
        bucket.source_hits += own.length;
        bucket.stale_source_hits += stale;
        if (stale > 0) bucket.stale_searches += 1;
      }
    }
    return { buckets };
  }

  /** Returns the ages in days of each search's own sources with results. */
  private async agesOf(
    tenantId: string,
    searches: readonly ReceiptedSearch[],
  ): Promise<number[][]> {
    const wanted = searches.flatMap(({ receipt: { sources, live_at: position }, at }, search) =>
      position === null ? [] : sources.map(([source]) => ({ search, source, position, at })),
    );
    const synced = await this.readModel.ask(lastSyncs, tenantId, wanted);
    const ages: number[][] = searches.map(() => []);
    for (const [index, { search, at }] of wanted.entries()) {
      const sync = synced[index];
      // Sources of linked packages belong to other tenants.
      if (sync) ages[search]?.push(freshnessDays(Date.parse(sync), Date.parse(at)));
    }
    return ages;
  }

  private async budget(
    known: Map<number | null, number>,
    tenantId: string,
    revision: number | null,
  ): Promise<number> {
    const budget =
      known.get(revision) ??
      (await this.past.settings(tenantId, revision)).staleness_budget_seconds;
    known.set(revision, budget);
    return budget;
  }
}
