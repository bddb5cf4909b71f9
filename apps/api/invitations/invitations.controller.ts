import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';

import { InvitationList, InviteBody, IssuedInvitationView, PageQuery } from '#contracts/http/index';

import { OwnersOnly, SignedIn } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Idempotent } from '../openapi/idempotent.js';
import { Problems } from '../openapi/problem-responses.js';
import { IssueInvitation } from './issue-invitation.js';
import { ListInvitations } from './list-invitations.js';
import { RevokeInvitation } from './revoke-invitation.js';

@ApiTags('people')
@Controller('invitations')
@SignedIn()
@OwnersOnly()
export class InvitationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /**
   * Invites somebody. The token of the one-time link is in this answer and never again; it lasts
   * seven days.
   */
  @Post()
  @Idempotent()
  @Problems(
    'sign_in_required',
    'role_missing',
    'csrf_invalid',
    'malformed_json',
    'idempotency_key_reused',
    'unsupported_media_type',
  )
  issue(@CurrentCaller() caller: Caller, @Body() body: InviteBody): Promise<IssuedInvitationView> {
    return this.commands.execute(new IssueInvitation(caller, body));
  }

  /** Lists invitations without their tokens, newest first. */
  @Get()
  @Problems('sign_in_required', 'role_missing')
  list(@CurrentCaller() caller: Caller, @Query() page: PageQuery): Promise<InvitationList> {
    return this.queries.execute(new ListInvitations(caller, page));
  }

  /** Revokes an invitation that nobody has accepted. */
  @Delete(':invitation_id')
  @HttpCode(204)
  @Problems(
    'sign_in_required',
    'role_missing',
    'csrf_invalid',
    'invitation_not_found',
    'invitation_closed',
    'concurrent_change',
  )
  revoke(
    @CurrentCaller() caller: Caller,
    @Param('invitation_id') invitationId: string,
  ): Promise<void> {
    return this.commands.execute(new RevokeInvitation(caller, invitationId));
  }
}
