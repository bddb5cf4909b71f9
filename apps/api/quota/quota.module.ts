import { Module } from '@nestjs/common';

import { InMemoryModule } from '../in-memory/in-memory.module.js';
import { GetQuotaHandler } from './get-quota.js';
import { GetQuotaUsageHandler } from './get-quota-usage.js';
import { PrepaidWork } from './prepaid-work.js';
import { QuotaController } from './quota.controller.js';
import { QuotaLedger } from './quota-ledger.js';
import { TenantPlans } from './tenant-plans.js';
import { TenantTotals } from './tenant-totals.js';

/** The plans of tenants in memory, for whoever holds them to one. */
@Module({ imports: [InMemoryModule], providers: [TenantPlans], exports: [TenantPlans] })
export class TenantPlansModule {}

/** What tenants have in all, for whoever adds to it. */
@Module({
  imports: [InMemoryModule, TenantPlansModule],
  providers: [TenantTotals],
  exports: [TenantTotals],
})
export class TenantTotalsModule {}

/** What charges metered work, before it begins or when it is done. */
@Module({
  imports: [TenantPlansModule],
  providers: [QuotaLedger, PrepaidWork],
  exports: [QuotaLedger, PrepaidWork],
})
export class QuotaLedgerModule {}

/** `/quota` */
@Module({
  imports: [TenantPlansModule, TenantTotalsModule, QuotaLedgerModule],
  controllers: [QuotaController],
  providers: [GetQuotaHandler, GetQuotaUsageHandler],
})
export class QuotaModule {}
