import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';

import { PolicySimulationView, SimulatePolicyBody } from '#contracts/http/index';

import { NeedsScope } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Problems } from '../openapi/problem-responses.js';
import { SimulatePolicy } from './simulate-policy.js';

@ApiTags('policy')
@Controller('policy')
export class PolicySimulationController {
  constructor(private readonly queries: QueryBus) {}

  /**
   * Repeats the last searches under other settings, and counts those that change. Nothing is
   * charged, and the policy stays as it is.
   */
  @Post('simulate')
  @HttpCode(200)
  @NeedsScope('read')
  @Problems('scope_missing', 'malformed_json', 'unsupported_media_type')
  simulate(
    @CurrentCaller() caller: Caller,
    @Body() body: SimulatePolicyBody,
  ): Promise<PolicySimulationView> {
    return this.queries.execute(new SimulatePolicy(caller, body));
  }
}
