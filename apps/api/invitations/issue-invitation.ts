import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { InviteBody, IssuedInvitationView } from '#contracts/http/index';
import { invitationDecider } from '#domain';
import { CLOCK, type Clock } from '#platform';

import type { Caller } from '../auth/caller.js';
import { Fingerprints } from '../people/credentials/fingerprints.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { Projected } from '../write/projected.js';
import { StreamCommands } from '../write/stream-commands.js';
import { INVITATION_LASTS_MS, newInvitationToken, tokenDigest } from './invitation-token.js';
import { InvitationViews } from './invitation-views.js';

/** Invites somebody into the caller's tenant. */
export class IssueInvitation extends Command<IssuedInvitationView> {
  constructor(
    readonly caller: Caller,
    readonly body: InviteBody,
  ) {
    super();
  }
}

@Handles(IssueInvitation)
export class IssueInvitationHandler implements ICommandHandler<IssueInvitation> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly projected: Projected,
    private readonly fingerprints: Fingerprints,
    private readonly views: InvitationViews,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * The token is in the answer of the request that made the invitation and nowhere else: a twin
   * request answers without it.
   */
  async execute({ caller, body: { role, email } }: IssueInvitation): Promise<IssuedInvitationView> {
    const fingerprint = email === undefined ? null : await this.fingerprints.ofAddress(email);
    const identity = await this.identities.of(caller, { role, email: fingerprint });
    const id = identity.newId('invitation');
    const token = newInvitationToken(id);
    const address =
      email === undefined ? null : await this.views.sealAddress(caller.tenantId, id, email.trim());
    const expires_at = new Date(this.clock.now().getTime() + INVITATION_LASTS_MS).toISOString();
    const data = {
      invitation_id: id,
      role,
      digest: tokenDigest(token),
      address,
      fingerprint,
      expires_at,
    };
    const { state, metadata, position, appended } = await this.commands.run({
      caller,
      identity,
      stream: `invitation-${id}`,
      decider: invitationDecider,
      expected: 'new',
      decide: (current) => invitationDecider.decide({ type: 'IssueInvitation', data }, current),
    });
    if (state.status === 'absent') throw new Error(`Invitation ${id} was not issued`);
    await this.projected.reached('invitations', position);
    const view = await this.views.of({
      ...state,
      tenant_id: caller.tenantId,
      created_at: metadata?.occurred_at ?? '',
      accepted_at: null,
      accepted_by: null,
      revoked_at: null,
    });
    return appended ? { ...view, token } : view;
  }
}
