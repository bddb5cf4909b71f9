import { Module } from '@nestjs/common';

import { InMemoryModule } from '../in-memory/in-memory.module.js';
import { WriteModule } from '../write/write.module.js';
import { ChangePolicyHandler } from './change-policy.js';
import { GetPolicyHandler } from './get-policy.js';
import { KnownPolicies } from './known-policies.js';
import { PolicyController } from './policy.controller.js';

/** Provides the in-memory policies to services that answer under them. */
@Module({ imports: [InMemoryModule], providers: [KnownPolicies], exports: [KnownPolicies] })
export class KnownPoliciesModule {}

/** `/policy` */
@Module({
  imports: [KnownPoliciesModule, WriteModule],
  controllers: [PolicyController],
  providers: [GetPolicyHandler, ChangePolicyHandler],
})
export class PolicyModule {}
