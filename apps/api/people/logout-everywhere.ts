import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { userDecider } from '#domain';

import type { Caller } from '../auth/caller.js';
import { notFound } from '../edge/path-id.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { StreamCommands } from '../write/stream-commands.js';
import { Accounts } from './accounts/accounts.js';
import { signedIn } from './signed-in.js';

/** Ends every session of the person, that of the request included. */
export class LogoutEverywhere extends Command<void> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@Handles(LogoutEverywhere)
export class LogoutEverywhereHandler implements ICommandHandler<LogoutEverywhere> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly accounts: Accounts,
  ) {}

  async execute({ caller }: LogoutEverywhere): Promise<void> {
    const { userId } = signedIn(caller);
    const { position } = await this.commands.run({
      caller,
      identity: await this.identities.of({ ...caller, idempotencyKey: undefined }, undefined),
      stream: `user-${userId}`,
      decider: userDecider,
      expected: 'existing',
      absent: () => notFound('member_not_found', userId),
      decide: (current) => userDecider.decide({ type: 'RevokeSessions', data: {} }, current),
    });
    await this.accounts.shown(position);
  }
}
