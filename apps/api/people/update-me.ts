import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { UpdateMeBody } from '#contracts/http/index';
import { userDecider } from '#domain';

import type { Caller } from '../auth/caller.js';
import { notFound } from '../edge/path-id.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { StreamCommands } from '../write/stream-commands.js';
import { Accounts, personOf } from './accounts/accounts.js';
import { PersonalText } from './accounts/personal-text.js';
import { signedIn } from './signed-in.js';

/** Changes what others see of the person. */
export class UpdateMe extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly body: UpdateMeBody,
  ) {
    super();
  }
}

@Handles(UpdateMe)
export class UpdateMeHandler implements ICommandHandler<UpdateMe> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly accounts: Accounts,
    private readonly personal: PersonalText,
  ) {}

  async execute({ caller, body }: UpdateMe): Promise<void> {
    const { userId } = signedIn(caller);
    const name = body.display_name;
    const account = await this.accounts.find(userId);
    if (!account) throw notFound('member_not_found', userId);
    if (name === undefined || (await this.isName(account.display_name, name, caller))) return;
    const display_name =
      name === null ? null : await this.personal.seal(personOf(account), 'display_name', name);
    const { position } = await this.commands.run({
      caller,
      identity: await this.identities.of(caller, undefined),
      stream: `user-${userId}`,
      decider: userDecider,
      expected: 'existing',
      absent: () => notFound('member_not_found', userId),
      decide: (current) =>
        userDecider.decide({ type: 'RenameUser', data: { display_name } }, current),
    });
    await this.accounts.projectedTo(position);
  }

  /** Two seals of one text differ: the names themselves are compared. */
  private async isName(
    sealed: string | null,
    name: string | null,
    caller: Caller,
  ): Promise<boolean> {
    if (sealed === null || name === null) return sealed === name;
    return (await this.personal.open({ ...signedIn(caller) }, 'display_name', sealed)) === name;
  }
}
