import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';

import { QuotaUsageView, QuotaView } from '#contracts/http/index';

import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Problems } from '../openapi/problem-responses.js';
import { GetQuota } from './get-quota.js';
import { GetQuotaUsage } from './get-quota-usage.js';

@ApiTags('quota')
@Controller('quota')
export class QuotaController {
  constructor(private readonly queries: QueryBus) {}

  /**
   * Returns the tenant's plan, its limits, and the work that a tenant may run at once in one
   * process.
   */
  @Get()
  @Problems('scope_missing')
  get(@CurrentCaller() caller: Caller): Promise<QuotaView> {
    return this.queries.execute(new GetQuota(caller));
  }

  /** Returns the usage of each limit. */
  @Get('usage')
  @Problems('scope_missing')
  usage(@CurrentCaller() caller: Caller): Promise<QuotaUsageView> {
    return this.queries.execute(new GetQuotaUsage(caller));
  }
}
