import { Query, type IQueryHandler } from '@nestjs/cqrs';

import { QUOTA_METRICS, type QuotaUsage } from '#contracts';
import type { QuotaUsageEntry, QuotaUsageView } from '#contracts/http/index';

import type { Caller } from '../auth/caller.js';
import { Handles } from '../use-cases/handles.js';
import { QuotaLedger } from './quota-ledger.js';
import { TenantPlans } from './tenant-plans.js';

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
  ) {}

  async execute({ caller }: GetQuotaUsage): Promise<QuotaUsageView> {
    const plan = this.plans.of(caller.tenantId);
    const metered = await Promise.all(QUOTA_METRICS.map((metric) => this.ledger.usage({ caller, metric })));
    return { plan: plan.name, usage: metered.flat().map(shown) };
  }
}

function shown({ metric, window, limit, used, remaining, resetsAt }: QuotaUsage): QuotaUsageEntry {
  const resets_at = resetsAt === null ? null : new Date(resetsAt).toISOString();
  return { metric, window, limit, used, remaining, ...(window === 'total' ? {} : { resets_at }) };
}
