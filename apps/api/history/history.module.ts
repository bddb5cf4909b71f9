import { Module } from '@nestjs/common';

import { AuditModule } from '../audit/audit.module.js';
import { WriteModule } from '../write/write.module.js';
import { Moments } from './moments.js';
import { PastKeys } from './past-keys.js';
import { PastMembers } from './past-members.js';
import { PastPolicies } from './past-policies.js';
import { PastSources } from './past-sources.js';

/** Reads of the past: moments, and state as it was at one. */
@Module({
  imports: [AuditModule, WriteModule],
  providers: [Moments, PastKeys, PastMembers, PastPolicies, PastSources],
  exports: [Moments, PastKeys, PastMembers, PastPolicies, PastSources],
})
export class HistoryModule {}
