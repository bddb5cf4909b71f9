import { Injectable } from '@nestjs/common';

import { isFootnoteError, type Role } from '#contracts';
import { uuidv5 } from '#platform';

import type { Visitor } from '../../auth/caller.js';
import type { Session } from '../../auth/session-tokens.js';
import { type Account, Accounts } from '../accounts/accounts.js';
import { AddressReservations } from '../accounts/address-reservations.js';
import { personCaller } from '../accounts/person-caller.js';
import { Fingerprints } from '../credentials/fingerprints.js';
import { SignIns } from './sign-ins.js';

/** A person as a provider describes them, its signature checked. */
export interface ExternalPerson {
  readonly issuer: string;
  readonly subject: string;
  /** Checked by the provider. */
  readonly address: string;
  readonly displayName: string | null;
  /** Tenant and role of a new account; existing accounts retain theirs. */
  readonly tenantId: string;
  readonly role: Role;
}

/**
 * Signs in people whom a provider vouches for: finds the account by issuer and subject, or makes
 * it.
 */
@Injectable()
export class ExternalSignIn {
  constructor(
    private readonly accounts: Accounts,
    private readonly reservations: AddressReservations,
    private readonly fingerprints: Fingerprints,
    private readonly signIns: SignIns,
  ) {}

  /**
   * @throws FootnoteError `address_taken` where another account has the address, because access to
   * its mail does not prove ownership of the account. `sign_in_failed` for a person who was removed
   * from the tenant.
   */
  async signIn(visitor: Visitor, person: ExternalPerson): Promise<Session> {
    const subject = await this.fingerprints.ofSubject(person.issuer, person.subject);
    const account =
      (await this.accounts.findByName(subject)) ?? (await this.make(visitor, person, subject));
    return this.signIns.start(visitor, account, 'oidc');
  }

  private async make(visitor: Visitor, person: ExternalPerson, subject: string): Promise<Account> {
    const { tenantId, role, displayName } = person;
    const userId = await this.freshId(subject);
    const caller = personCaller(visitor, { tenantId, userId });
    const address = await this.fingerprints.ofAddress(person.address);
    await this.reservations.reserve(caller, subject, userId);
    try {
      await this.reservations.reserve(caller, address, userId);
    } catch (error) {
      if (isFootnoteError(error, 'address_taken'))
        await this.reservations.release(caller, subject, userId);
      throw error;
    }
    return this.accounts.open(caller, userId, {
      tenantId,
      userId,
      role,
      displayName,
      fingerprints: [address, subject],
      address: person.address.trim(),
      passwordHash: async () => null,
    });
  }

  /**
   * Follows from the subject, so that a second try is the first one; after an account was closed
   * the next one has another.
   */
  private async freshId(subject: string): Promise<string> {
    let id = uuidv5('external-user', subject);
    for (;;) {
      const { status } = await this.accounts.stateOf(id);
      if (status === 'absent' || status === 'active') return id;
      id = uuidv5('external-user', subject, id);
    }
  }
}
