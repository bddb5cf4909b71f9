import { Module } from '@nestjs/common';

import { AuditModule } from '../audit/audit.module.js';
import { HistoryModule } from '../history/history.module.js';
import { InMemoryModule } from '../in-memory/in-memory.module.js';
import { WriteModule } from '../write/write.module.js';
import { ChangePolicyHandler } from './change-policy.js';
import { GetPolicyHandler } from './get-policy.js';
import { KnownPolicies } from './known-policies.js';
import { PolicyController } from './policy.controller.js';
import { DiffPolicyHandler } from './policy-diff.js';
import { GetPolicyHistoryHandler } from './policy-history.js';
import { PolicyWriter } from './policy-writer.js';
import { RollbackPolicyHandler } from './rollback-policy.js';

/** Provides the in-memory policies to services that answer under them. */
@Module({ imports: [InMemoryModule], providers: [KnownPolicies], exports: [KnownPolicies] })
export class KnownPoliciesModule {}

/** `/policy` */
@Module({
  imports: [AuditModule, HistoryModule, KnownPoliciesModule, WriteModule],
  controllers: [PolicyController],
  providers: [
    PolicyWriter,
    GetPolicyHandler,
    ChangePolicyHandler,
    GetPolicyHistoryHandler,
    DiffPolicyHandler,
    RollbackPolicyHandler,
  ],
})
export class PolicyModule {}
