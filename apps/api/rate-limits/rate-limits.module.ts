import { Module } from '@nestjs/common';

import { AuthModule } from '../auth/auth.module.js';
import { TenantPlansModule } from '../quota/quota.module.js';
import { RateLimits } from './rate-limits.js';
import { UntrustedProxy } from './untrusted-proxy.js';

/** Rate limits of requests. */
@Module({
  imports: [AuthModule, TenantPlansModule],
  providers: [RateLimits, UntrustedProxy],
  exports: [RateLimits],
})
export class RateLimitsModule {}
