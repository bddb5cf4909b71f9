import { Body, Controller, Get, Headers, HttpCode, Post, Put, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import {
  AsOfQuery,
  HistoryList,
  HistoryQuery,
  PolicyDiffQuery,
  PolicyDiffView,
  PolicyRollbackView,
  PolicyView,
  RollbackPolicyBody,
  UpdatePolicyBody,
} from '#contracts/http/index';

import { NeedsScope } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { MOMENT_HEADER, showMoment } from '../history/moment-header.js';
import { Conditional } from '../openapi/conditional.js';
import { Problems } from '../openapi/problem-responses.js';
import { ChangePolicy } from './change-policy.js';
import { GetPolicy, type VersionedPolicy } from './get-policy.js';
import { DiffPolicy } from './policy-diff.js';
import { GetPolicyHistory } from './policy-history.js';
import { RollbackPolicy } from './rollback-policy.js';

@ApiTags('policy')
@Controller('policy')
export class PolicyController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Returns the tenant's trust policy, now or at a moment of its history. */
  @Get()
  @ApiOkResponse({ type: PolicyView, headers: MOMENT_HEADER })
  @Problems('scope_missing')
  async get(
    @CurrentCaller() caller: Caller,
    @Query() asOf: AsOfQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PolicyView> {
    return tagged(await this.queries.execute(new GetPolicy(caller, asOf)), reply);
  }

  /** Changes the settings that the body names; the others stay. */
  @Put()
  @Conditional('policy')
  @Problems(
    'scope_missing',
    'malformed_json',
    'policy_changed',
    'concurrent_change',
    'unsupported_media_type',
  )
  async update(
    @CurrentCaller() caller: Caller,
    @Body() body: UpdatePolicyBody,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PolicyView> {
    return tagged(await this.commands.execute(new ChangePolicy(caller, body, ifMatch)), reply);
  }

  /** Puts every setting at its default. */
  @Post('reset')
  @HttpCode(200)
  @Conditional('policy')
  @Problems('scope_missing', 'policy_changed', 'concurrent_change')
  async reset(
    @CurrentCaller() caller: Caller,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PolicyView> {
    return tagged(await this.commands.execute(new ChangePolicy(caller, null, ifMatch)), reply);
  }

  /** Lists the changes of the policy: who made them, by which request and from what. */
  @Get('history')
  @NeedsScope('audit')
  @Problems('scope_missing')
  history(@CurrentCaller() caller: Caller, @Query() query: HistoryQuery): Promise<HistoryList> {
    return this.queries.execute(new GetPolicyHistory(caller, query));
  }

  /** Returns the settings that differ between two moments. */
  @Get('diff')
  @Problems('scope_missing')
  diff(@CurrentCaller() caller: Caller, @Query() query: PolicyDiffQuery): Promise<PolicyDiffView> {
    return this.queries.execute(new DiffPolicy(caller, query));
  }

  /** Restores the settings of an earlier revision. The history keeps what was between. */
  @Post('rollback')
  @HttpCode(200)
  @Conditional('policy')
  @Problems(
    'scope_missing',
    'malformed_json',
    'policy_changed',
    'concurrent_change',
    'unsupported_media_type',
  )
  async rollback(
    @CurrentCaller() caller: Caller,
    @Body() body: RollbackPolicyBody,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PolicyRollbackView> {
    const command = new RollbackPolicy(caller, body, ifMatch);
    const { rollback, etag } = await this.commands.execute(command);
    void reply.header('etag', etag);
    return rollback;
  }
}

function tagged({ policy, etag, moment }: VersionedPolicy, reply: FastifyReply): PolicyView {
  showMoment(reply, moment);
  void reply.header('etag', etag);
  return policy;
}
