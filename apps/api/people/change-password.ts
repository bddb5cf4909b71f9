import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { ChangePasswordBody } from '#contracts/http/index';
import { userDecider } from '#domain';

import type { Caller } from '../auth/caller.js';
import type { Session } from '../auth/session-tokens.js';
import { notFound } from '../edge/path-id.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { StreamCommands } from '../write/stream-commands.js';
import { type Account, Accounts, personOf } from './accounts/accounts.js';
import { ERASED, PersonalText } from './accounts/personal-text.js';
import { knownOf } from './credentials/mail-address.js';
import { Passwords, refuseCommon } from './credentials/passwords.js';
import { clientNetwork } from './sign-in/client-network.js';
import { SignInThrottle } from './sign-in/sign-in-throttle.js';
import { signInFailed, SignIns } from './sign-in/sign-ins.js';
import { signedIn } from './signed-in.js';

/** Changes the password, which ends every session; the answer begins a new one. */
export class ChangePassword extends Command<Session> {
  constructor(
    readonly caller: Caller,
    readonly body: ChangePasswordBody,
  ) {
    super();
  }
}

@Handles(ChangePassword)
export class ChangePasswordHandler implements ICommandHandler<ChangePassword> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly accounts: Accounts,
    private readonly personal: PersonalText,
    private readonly passwords: Passwords,
    private readonly throttle: SignInThrottle,
    private readonly signIns: SignIns,
  ) {}

  /** @throws FootnoteError `sign_in_failed` with a wrong current password. */
  async execute({ caller, body }: ChangePassword): Promise<Session> {
    const { userId } = signedIn(caller);
    const account = await this.accounts.find(userId);
    if (!account) throw notFound('member_not_found', userId);
    const address =
      (await this.personal.open(personOf(account), 'address', account.address)) ?? ERASED;
    await refuseCommon('new_password', body.new_password, knownOf(address));
    await this.verify(caller, account, body.current_password);
    const hash = await this.passwords.hash(body.new_password);
    const password = await this.personal.seal(personOf(account), 'password', hash);
    const { state, position } = await this.commands.run({
      caller,
      identity: await this.identities.of({ ...caller, idempotencyKey: undefined }, undefined),
      stream: `user-${userId}`,
      decider: userDecider,
      expected: 'existing',
      absent: () => notFound('member_not_found', userId),
      decide: (current) =>
        userDecider.decide(
          { type: 'ChangePassword', data: { password, verified: account.password ?? '' } },
          current,
        ),
    });
    if (state.status !== 'active') throw notFound('member_not_found', userId);
    await this.accounts.shown(position);
    return this.signIns.start(caller, state, 'password');
  }

  private async verify({ http }: Caller, account: Account, given: string): Promise<void> {
    const attempt = this.throttle.attempt(
      account.fingerprints[0] ?? account.user_id,
      clientNetwork(http.ip ?? ''),
    );
    const hash = await this.accounts.passwordHash(account);
    if (!(await this.passwords.verify(hash, given))) throw signInFailed();
    attempt.succeeded();
  }
}
