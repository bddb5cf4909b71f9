import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';

import { AccessGuard } from '../auth/access.guard.js';
import { AuthModule } from '../auth/auth.module.js';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { TenantRateGuard } from '../rate-limits/tenant-rate.guard.js';
import { RefusalsModule } from '../refusals/refusals.module.js';
import { ErrorsFilter } from './errors.filter.js';
import { RefusalLog } from './refusal-log.js';
import { RefusedRequests } from './refused-requests.js';
import { StrictValidationPipe } from './strict-validation.pipe.js';
import { UndeclaredInputGuard } from './undeclared-input.guard.js';

/** The parts that every request passes. */
@Module({
  imports: [AuthModule, RateLimitsModule, RefusalsModule],
  providers: [
    // The guards run in this order: nothing is said about a request's input before its credentials
    // are good.
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: TenantRateGuard },
    { provide: APP_GUARD, useClass: UndeclaredInputGuard },
    { provide: APP_PIPE, useClass: StrictValidationPipe },
    RefusalLog,
    RefusedRequests,
    { provide: APP_FILTER, useClass: ErrorsFilter },
  ],
})
export class EdgeModule {}
