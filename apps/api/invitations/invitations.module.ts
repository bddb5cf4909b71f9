import { Module } from '@nestjs/common';

import { PeopleModule } from '../people/people.module.js';
import { AcceptController } from './accept.controller.js';
import { AcceptInvitationHandler } from './accept-invitation.js';
import { InvitationViews } from './invitation-views.js';
import { InvitationsController } from './invitations.controller.js';
import { IssueInvitationHandler } from './issue-invitation.js';
import { ListInvitationsHandler } from './list-invitations.js';
import { RevokeInvitationHandler } from './revoke-invitation.js';

/** `/invitations`, `/auth/accept` */
@Module({
  imports: [PeopleModule],
  controllers: [InvitationsController, AcceptController],
  providers: [
    InvitationViews,
    IssueInvitationHandler,
    ListInvitationsHandler,
    RevokeInvitationHandler,
    AcceptInvitationHandler,
  ],
})
export class InvitationsModule {}
