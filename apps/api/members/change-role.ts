import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { Role } from '#contracts';
import type { MemberView } from '#contracts/http/index';
import { membersDecider } from '#domain';
import { getMember } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { Accounts } from '../people/accounts/accounts.js';
import { PersonalText } from '../people/accounts/personal-text.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { StreamCommands } from '../write/stream-commands.js';
import { memberView } from './list-members.js';

/**
 * Changes the role of a member. Every process applies the permissions of the new role within a
 * second.
 */
export class ChangeRole extends Command<MemberView> {
  constructor(
    readonly caller: Caller,
    readonly userId: string,
    readonly role: Role,
  ) {
    super();
  }
}

@Handles(ChangeRole)
export class ChangeRoleHandler implements ICommandHandler<ChangeRole> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly accounts: Accounts,
    private readonly personal: PersonalText,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
  ) {}

  /** @throws FootnoteError `member_not_found`, `last_owner`. */
  async execute({ caller, userId, role }: ChangeRole): Promise<MemberView> {
    const user_id = requireId('member_not_found', userId);
    const { position } = await this.commands.run({
      caller,
      identity: await this.identities.of(caller, undefined),
      stream: `members-${caller.tenantId}`,
      decider: membersDecider,
      expected: 'existing',
      absent: () => notFound('member_not_found', userId),
      decide: (current) =>
        membersDecider.decide({ type: 'ChangeRole', data: { user_id, role } }, current),
    });
    await this.accounts.shown(position);
    const member = await this.readModel.ask(getMember, caller.tenantId, user_id);
    if (!member) throw notFound('member_not_found', userId);
    return memberView(this.personal, caller.tenantId, { ...member, role });
  }
}
