import { Body, Controller, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import { AcceptInvitationBody, MeView } from '#contracts/http/index';

import { Public } from '../auth/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../auth/caller.js';
import { Sessions } from '../auth/sessions.js';
import { Problems } from '../openapi/problem-responses.js';
import { Me } from '../people/me.js';
import { AcceptInvitation } from './accept-invitation.js';

@ApiTags('people')
@Controller('auth')
export class AcceptController {
  constructor(
    private readonly commands: CommandBus,
    private readonly me: Me,
    private readonly sessions: Sessions,
  ) {}

  /** Makes an account by the one-time link of an invitation, and signs in with it. */
  @Post('accept')
  @Public()
  @Problems(
    'password_too_common',
    'invitation_not_found',
    'address_taken',
    'sign_in_failed',
    'malformed_json',
    'unsupported_media_type',
    'rate_limited',
    'overloaded',
  )
  async accept(
    @CurrentVisitor() visitor: Visitor,
    @Body() body: AcceptInvitationBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MeView> {
    const session = await this.commands.execute(new AcceptInvitation(visitor, body));
    const view = await this.me.view(session);
    await this.sessions.give(reply, session);
    return view;
  }
}
