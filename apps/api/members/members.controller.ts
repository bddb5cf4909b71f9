import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import { AsOfPageQuery, ChangeRoleBody, MemberList, MemberView } from '#contracts/http/index';

import { OwnersOnly, SignedIn } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { MOMENT_HEADER, undated } from '../history/moment-header.js';
import { Problems } from '../openapi/problem-responses.js';
import { ChangeRole } from './change-role.js';
import { ListMembers } from './list-members.js';
import { RemoveMember } from './remove-member.js';

@ApiTags('people')
@Controller('members')
@SignedIn()
export class MembersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Lists the people of the tenant, newest first, now or at a moment of its history. */
  @Get()
  @ApiOkResponse({ type: MemberList, headers: MOMENT_HEADER })
  @Problems('sign_in_required')
  async list(
    @CurrentCaller() caller: Caller,
    @Query() page: AsOfPageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MemberList> {
    return undated(await this.queries.execute(new ListMembers(caller, page)), reply);
  }

  /** Changes what a member may do. */
  @Patch(':user_id')
  @OwnersOnly()
  @Problems(
    'sign_in_required',
    'role_missing',
    'csrf_invalid',
    'member_not_found',
    'last_owner',
    'malformed_json',
    'unsupported_media_type',
    'concurrent_change',
  )
  change(
    @CurrentCaller() caller: Caller,
    @Param('user_id') userId: string,
    @Body() { role }: ChangeRoleBody,
  ): Promise<MemberView> {
    return this.commands.execute(new ChangeRole(caller, userId, role));
  }

  /** Removes a member: ends the sessions, closes the account and frees the address. */
  @Delete(':user_id')
  @OwnersOnly()
  @HttpCode(204)
  @Problems(
    'sign_in_required',
    'role_missing',
    'csrf_invalid',
    'member_not_found',
    'last_owner',
    'concurrent_change',
  )
  remove(@CurrentCaller() caller: Caller, @Param('user_id') userId: string): Promise<void> {
    return this.commands.execute(new RemoveMember(caller, userId));
  }
}
