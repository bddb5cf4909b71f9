import { Inject, Injectable } from '@nestjs/common';

import { FootnoteError, type SignInMethod } from '#contracts';
import { sessionDecider } from '#domain';
import { CLOCK, type Clock, uuidv7 } from '#platform';

import type { Visitor } from '../../auth/caller.js';
import { ErasedTenants } from '../../auth/erased-tenants.js';
import { type Session, SESSION_MS } from '../../auth/session-tokens.js';
import { StreamCommands } from '../../write/stream-commands.js';
import { type Account, Accounts, personOf } from '../accounts/accounts.js';
import { personCaller, stepOf } from '../accounts/person-caller.js';

/**
 * Begins sessions. The caller has verified the person's identity; `Sessions.give` then sets the
 * cookies.
 */
@Injectable()
export class SignIns {
  constructor(
    private readonly commands: StreamCommands,
    private readonly accounts: Accounts,
    private readonly erased: ErasedTenants,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * @throws FootnoteError `sign_in_failed` for somebody who was removed from the tenant, or whose
   * tenant is erased.
   */
  async start(visitor: Visitor, account: Account, method: SignInMethod): Promise<Session> {
    if (this.erased.has(account.tenant_id)) throw signInFailed();
    const caller = personCaller(visitor, personOf(account));
    if ((await this.accounts.join(caller, account)) === null) throw signInFailed();
    const sessionId = uuidv7();
    // Tokens contain seconds.
    const endsAt = Math.floor(this.clock.now().getTime() / 1_000) * 1_000 + SESSION_MS;
    const { user_id, tenant_id, session_epoch } = account;
    const data = {
      session_id: sessionId,
      user_id,
      method,
      ends_at: new Date(endsAt).toISOString(),
    };
    await this.commands.run({
      caller,
      identity: stepOf(sessionId, 'start'),
      stream: `session-${sessionId}`,
      decider: sessionDecider,
      expected: 'new',
      decide: (current) => sessionDecider.decide({ type: 'StartSession', data }, current),
    });
    return { sessionId, userId: user_id, tenantId: tenant_id, epoch: session_epoch, endsAt };
  }
}

/** One answer for every reason. */
export function signInFailed(): FootnoteError {
  return new FootnoteError('sign_in_failed', 'Address or password is wrong');
}
