import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { membersDecider } from '#domain';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { Accounts } from '../people/accounts/accounts.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { StreamCommands } from '../write/stream-commands.js';

/** Removes a member from the tenant and closes the account, which belongs to this tenant alone. */
export class RemoveMember extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly userId: string,
  ) {
    super();
  }
}

@Handles(RemoveMember)
export class RemoveMemberHandler implements ICommandHandler<RemoveMember> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly accounts: Accounts,
  ) {}

  /**
   * Again is harmless, and does what a crash left undone. @throws FootnoteError `member_not_found`,
   * `last_owner`.
   */
  async execute({ caller, userId }: RemoveMember): Promise<void> {
    const user_id = requireId('member_not_found', userId);
    const { position } = await this.commands.run({
      caller,
      identity: await this.identities.of(caller, undefined),
      stream: `members-${caller.tenantId}`,
      decider: membersDecider,
      expected: 'existing',
      absent: () => notFound('member_not_found', userId),
      decide: (current) =>
        membersDecider.decide({ type: 'RemoveMember', data: { user_id } }, current),
    });
    await this.accounts.close(caller, user_id);
    await this.accounts.shown(position);
  }
}
