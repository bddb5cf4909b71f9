import { Module } from '@nestjs/common';

import { AuditModule } from '../audit/audit.module.js';
import { KnownPoliciesModule } from '../policy/policy.module.js';
import { ReceiptsModule } from '../receipts/receipts.module.js';
import { SearchModule } from '../search/search.module.js';
import { WriteModule } from '../write/write.module.js';
import { SimulatePolicyHandler } from './simulate-policy.js';
import { PolicySimulationController } from './simulation.controller.js';

/** `/policy/simulate` */
@Module({
  imports: [AuditModule, KnownPoliciesModule, ReceiptsModule, SearchModule, WriteModule],
  controllers: [PolicySimulationController],
  providers: [SimulatePolicyHandler],
})
export class PolicySimulationModule {}
