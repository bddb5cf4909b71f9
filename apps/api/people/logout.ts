import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { sessionDecider } from '#domain';

import type { Caller } from '../auth/caller.js';
import { Handles } from '../use-cases/handles.js';
import { StreamCommands } from '../write/stream-commands.js';
import { Accounts } from './accounts/accounts.js';
import { stepOf } from './accounts/person-caller.js';
import { signedIn } from './signed-in.js';

/** Ends the session of the request, in every process within a second. */
export class Logout extends Command<void> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@Handles(Logout)
export class LogoutHandler implements ICommandHandler<Logout> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly accounts: Accounts,
  ) {}

  async execute({ caller }: Logout): Promise<void> {
    const { sessionId, userId, expiresAt } = signedIn(caller);
    const data = {
      session_id: sessionId,
      user_id: userId,
      ends_at: new Date(expiresAt).toISOString(),
    };
    const { position } = await this.commands.run({
      caller,
      identity: stepOf(sessionId, 'end'),
      stream: `session-${sessionId}`,
      decider: sessionDecider,
      expected: 'any',
      decide: (current) => sessionDecider.decide({ type: 'EndSession', data }, current),
    });
    await this.accounts.shown(position);
  }
}
