import { Module } from '@nestjs/common';

import { InMemoryModule } from '../in-memory/in-memory.module.js';
import { GetQuotaHandler } from './get-quota.js';
import { GetQuotaUsageHandler } from './get-quota-usage.js';
import { PrepaidWork } from './prepaid-work.js';
import { QuotaController } from './quota.controller.js';
import { QuotaLedger } from './quota-ledger.js';
import { TenantPlans } from './tenant-plans.js';
import { TenantTotals } from './tenant-totals.js';

/** Provides the in-memory plans of tenants to services that enforce them. */
@Module({ imports: [InMemoryModule], providers: [TenantPlans], exports: [TenantPlans] })
export class TenantPlansModule {}

/** Totals of tenants, for use cases that add to them. */
@Module({
  imports: [InMemoryModule, TenantPlansModule],
  providers: [TenantTotals],
  exports: [TenantTotals],
})
export class TenantTotalsModule {}

/** Charges for metered work, before or after it runs. */
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
