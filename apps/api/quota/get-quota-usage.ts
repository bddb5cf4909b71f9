import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import { limitsOf, QUOTA_METRICS, type QuotaPlan, type QuotaUsage } from '#contracts';
import type { QuotaUsageEntry, QuotaUsageView } from '#contracts/http/index';
import { CLOCK, type Clock, type RateLimiter } from '#platform';

import type { Caller } from '../auth/caller.js';
import { RATE_LIMITER } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { QuotaLedger } from './quota-ledger.js';
import { requestsOf } from './requests-subject.js';
import { TenantPlans } from './tenant-plans.js';
import { TenantTotals } from './tenant-totals.js';

export class GetQuotaUsage extends Query<QuotaUsageView> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@Handles(GetQuotaUsage)
export class GetQuotaUsageHandler implements IQueryHandler<GetQuotaUsage> {
  constructor(
    private readonly plans: TenantPlans,
    private readonly ledger: QuotaLedger,
    private readonly totals: TenantTotals,
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ caller }: GetQuotaUsage): Promise<QuotaUsageView> {
    const plan = this.plans.of(caller.tenantId);
    const requests = await this.requests(caller.tenantId, plan);
    const metered = await Promise.all(
      QUOTA_METRICS.map((metric) => this.ledger.usage({ caller, metric })),
    );
    return {
      plan: plan.name,
      usage: [...requests, ...metered.flat(), ...this.totals.usage(caller.tenantId)].map(shown),
    };
  }

  private async requests(tenantId: string, plan: QuotaPlan): Promise<QuotaUsage[]> {
    const { count: used, resetSeconds } = await this.limiter.used(requestsOf(tenantId));
    const resetsAt = resetSeconds === 0 ? null : this.clock.now().getTime() + resetSeconds * 1_000;
    return limitsOf(plan, 'requests').map((limit) => ({
      ...limit,
      used,
      remaining: Math.max(0, limit.limit - used),
      resetsAt,
    }));
  }
}

function shown({ metric, window, limit, used, remaining, resetsAt }: QuotaUsage): QuotaUsageEntry {
  const resets_at = resetsAt === null ? null : new Date(resetsAt).toISOString();
  return { metric, window, limit, used, remaining, ...(window === 'total' ? {} : { resets_at }) };
}
