import { Body, Controller, Get, Headers, HttpCode, Post, Put, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import { PolicyView, UpdatePolicyBody } from '#contracts/http/index';

import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Problems } from '../openapi/problem-responses.js';
import { ChangePolicy } from './change-policy.js';
import { GetPolicy, type VersionedPolicy } from './get-policy.js';

const IF_MATCH = {
  name: 'If-Match',
  required: false,
  description: 'An ETag of the policy: the change is made only if the policy still has it.',
  schema: { type: 'string' },
} as const;

@ApiTags('policy')
@Controller('policy')
export class PolicyController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Returns the tenant's trust policy. */
  @Get()
  @Problems('scope_missing')
  async get(
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PolicyView> {
    return tagged(await this.queries.execute(new GetPolicy(caller)), reply);
  }

  /** Changes the settings that the body names; the others stay. */
  @Put()
  @ApiHeader(IF_MATCH)
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
  @ApiHeader(IF_MATCH)
  @Problems('scope_missing', 'policy_changed', 'concurrent_change')
  async reset(
    @CurrentCaller() caller: Caller,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PolicyView> {
    return tagged(await this.commands.execute(new ChangePolicy(caller, null, ifMatch)), reply);
  }
}

function tagged({ policy, etag }: VersionedPolicy, reply: FastifyReply): PolicyView {
  void reply.header('etag', etag);
  return policy;
}
