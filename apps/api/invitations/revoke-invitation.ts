import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { invitationDecider } from '#domain';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { Projected } from '../write/projected.js';
import { StreamCommands } from '../write/stream-commands.js';

/** Makes the link of an invitation worthless; one that is already revoked stays so. */
export class RevokeInvitation extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly invitationId: string,
  ) {
    super();
  }
}

@Handles(RevokeInvitation)
export class RevokeInvitationHandler implements ICommandHandler<RevokeInvitation> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly projected: Projected,
  ) {}

  /** @throws FootnoteError `invitation_not_found`, `invitation_closed`. */
  async execute({ caller, invitationId }: RevokeInvitation): Promise<void> {
    const { position } = await this.commands.run({
      caller,
      identity: await this.identities.of(caller, undefined),
      stream: `invitation-${requireId('invitation_not_found', invitationId)}`,
      decider: invitationDecider,
      expected: 'existing',
      absent: () => notFound('invitation_not_found', invitationId),
      decide: (current) =>
        invitationDecider.decide({ type: 'RevokeInvitation', data: {} }, current),
    });
    await this.projected.reached('invitations', position);
  }
}
