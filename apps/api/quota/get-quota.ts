import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import { QUOTA_WINDOWS } from '#contracts';
import type { QuotaView } from '#contracts/http/index';
import type { Config } from '#platform';

import type { Caller } from '../auth/caller.js';
import { CONFIG } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { MOST_WAITING_SEARCHES } from './bounds.js';
import { TenantPlans } from './tenant-plans.js';

export class GetQuota extends Query<QuotaView> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@Handles(GetQuota)
export class GetQuotaHandler implements IQueryHandler<GetQuota> {
  constructor(
    private readonly plans: TenantPlans,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async execute({ caller }: GetQuota): Promise<QuotaView> {
    const { name, limits } = this.plans.of(caller.tenantId);
    const { fairness, jobs } = this.config;
    return {
      plan: name,
      limits: limits.map(({ metric, window, limit }) => {
        const seconds = QUOTA_WINDOWS[window];
        return { metric, window, ...(seconds === null ? {} : { window_seconds: seconds }), limit };
      }),
      fairness: {
        searches_at_once: fairness.searchesPerTenant,
        searches_waiting: MOST_WAITING_SEARCHES,
        open_streams: fairness.streamsPerTenant,
        fetching_syncs: jobs.stagePlacesPerTenant,
        syncs_per_stage: jobs.stagePlacesPerTenant,
      },
    };
  }
}
