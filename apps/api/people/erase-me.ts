import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { FootnoteError, isFootnoteError } from '#contracts';
import { membersDecider } from '#domain';
import { EVENT_STORE, type EventStore } from '#event-store';
import { KEY_RING, type KeyRing, personKeys } from '#platform';

import type { Caller } from '../auth/caller.js';
import { unauthorized } from '../auth/credentials.js';
import { notFound } from '../edge/path-id.js';
import { refuseUnderHold } from '../legal-hold/refuse-under-hold.js';
import { Handles } from '../use-cases/handles.js';
import { StreamCommands } from '../write/stream-commands.js';
import { type Account, Accounts, personOf } from './accounts/accounts.js';
import { stepOf } from './accounts/person-caller.js';
import { PersonalText } from './accounts/personal-text.js';
import { normalizedAddress } from './credentials/mail-address.js';
import { signedIn } from './signed-in.js';

/** Erases the signed-in person. */
export class EraseMe extends Command<void> {
  constructor(
    readonly caller: Caller,
    /** The address of the account, typed by the person: what is erased cannot come back. */
    readonly confirm: string,
  ) {
    super();
  }
}

/**
 * Leaves the tenant, which ends every session, closes the account, destroys the key that its
 * personal fields are sealed with, and frees its sign-in names. What the person did stays in the
 * history under an id. Should this process die on the way, the pipeline does the rest.
 */
@Handles(EraseMe)
export class EraseMeHandler implements ICommandHandler<EraseMe> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly accounts: Accounts,
    private readonly personal: PersonalText,
    @Inject(KEY_RING) private readonly keyRing: KeyRing,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /**
   * @throws FootnoteError `erasure_not_confirmed`; `legal_hold`; `last_owner` for the last one, who
   * erases the tenant or makes another owner.
   */
  async execute({ caller, confirm }: EraseMe): Promise<void> {
    const { userId } = signedIn(caller);
    const account = await this.accounts.find(userId);
    if (!account) throw unauthorized();
    await this.requireConfirmed(account, confirm);
    await refuseUnderHold(this.store, caller.tenantId);
    await this.leave(caller, account);
    await this.accounts.close(caller, userId);
    await this.keyRing.destroy(personKeys(userId));
  }

  private async requireConfirmed(account: Account, confirm: string): Promise<void> {
    const address = await this.personal.open(personOf(account), 'address', account.address);
    const isAddress = address !== null && normalizedAddress(confirm) === normalizedAddress(address);
    if (isAddress || confirm === account.user_id) return;
    const asked = `confirm it with the address of the account, or its id, ${account.user_id}`;
    throw new FootnoteError(
      'erasure_not_confirmed',
      `An erased account cannot come back: ${asked}`,
    );
  }

  private async leave(caller: Caller, { user_id }: Account): Promise<void> {
    try {
      await this.commands.run({
        caller,
        identity: stepOf(user_id, 'leave'),
        stream: `members-${caller.tenantId}`,
        decider: membersDecider,
        expected: 'existing',
        absent: () => notFound('member_not_found', user_id),
        decide: (current) =>
          membersDecider.decide({ type: 'RemoveMember', data: { user_id } }, current),
      });
    } catch (error) {
      if (!isFootnoteError(error, 'last_owner')) throw error;
      const instead =
        'make somebody else an owner first, or erase the tenant with everybody in it (DELETE /tenant)';
      throw new FootnoteError('last_owner', `You are the last owner of the tenant: ${instead}`);
    }
  }
}
