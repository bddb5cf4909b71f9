import { Inject, Injectable } from '@nestjs/common';

import { FootnoteError, type Position, type Role } from '#contracts';
import { membersDecider, userDecider, type UserState } from '#domain';
import { EVENT_STORE, type EventStore, foldStream } from '#event-store';
import { uuidv7 } from '#platform';

import type { Caller } from '../../auth/caller.js';
import { KnownUsers } from '../../auth/known-users.js';
import { Projected, PROJECTION_WAIT_MS } from '../../write/projected.js';
import { StreamCommands } from '../../write/stream-commands.js';
import { AddressReservations } from './address-reservations.js';
import { stepOf } from './person-caller.js';
import { PersonalText, type PersonOf } from './personal-text.js';

/** An account that is open. */
export type Account = Extract<UserState, { status: 'active' }>;

/** A person who gets an account; their sign-in names are reserved already. */
export interface NewAccount extends PersonOf {
  readonly role: Role;
  readonly fingerprints: readonly string[];
  readonly address: string;
  readonly displayName: string | null;
  /** Called where the account is not there yet; null for a person who signs in elsewhere. */
  readonly passwordHash: () => Promise<string | null>;
}

/** The accounts of people, as their streams show them. */
@Injectable()
export class Accounts {
  constructor(
    private readonly commands: StreamCommands,
    private readonly projected: Projected,
    private readonly known: KnownUsers,
    private readonly reservations: AddressReservations,
    private readonly personal: PersonalText,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  async find(userId: string): Promise<Account | null> {
    const state = await this.stateOf(userId);
    return state.status === 'active' ? state : null;
  }

  async stateOf(userId: string): Promise<UserState> {
    return (await foldStream(this.store, userDecider, `user-${userId}`)).state;
  }

  /** @param fingerprint of a sign-in name. Reads as much for a name that nobody has. */
  async findByName(fingerprint: string): Promise<Account | null> {
    const userId = await this.reservations.ownerOf(fingerprint);
    return this.find(userId ?? fingerprint);
  }

  /**
   * Makes the account and joins it to its tenant; what is there already stays.
   * @throws FootnoteError `address_taken` where this came so late that the names went to somebody
   * else.
   */
  async open(caller: Caller, commandId: string, wanted: NewAccount): Promise<Account> {
    const existing = await this.find(wanted.userId);
    const account = existing ?? (await this.register(caller, commandId, wanted));
    await this.join(caller, account);
    return account;
  }

  /**
   * Joins an account to its tenant, unless it has: a crash may have come between the two.
   * @returns the role; null for somebody who was removed from the tenant.
   */
  async join(caller: Caller, { user_id, tenant_id, role }: Account): Promise<Role | null> {
    const known = this.known.find(user_id);
    if (known) return known.role;
    const { state, position } = await this.commands.run({
      caller,
      // Not one command for good: who was removed since is not found to have joined.
      identity: stepOf(uuidv7(), 'join'),
      stream: `members-${tenant_id}`,
      decider: membersDecider,
      expected: 'any',
      decide: (current) =>
        membersDecider.decide({ type: 'JoinTenant', data: { user_id, role } }, current),
    });
    await this.shown(position);
    return this.known.find(user_id)?.role ?? state.get(user_id) ?? null;
  }

  /**
   * The hash that a password is verified against; null where there is none, or where its keys are
   * gone.
   */
  async passwordHash(account: Account): Promise<string | null> {
    if (account.password === null) return null;
    return this.personal.open(personOf(account), 'password', account.password);
  }

  /** Waits until this process judges sessions by a change, and lists show it. */
  async shown(position: Position | null): Promise<void> {
    if (position === null) return;
    await Promise.all([
      this.known.projection.waitFor(position, PROJECTION_WAIT_MS),
      this.projected.reached('users', position),
    ]);
  }

  /**
   * Closes an account for good and frees its sign-in names; its membership has ended before. Again
   * is harmless, and does what a crash left undone.
   */
  async close(caller: Caller, userId: string): Promise<void> {
    const { state, position } = await this.commands.run({
      caller,
      identity: stepOf(uuidv7(), 'close'),
      stream: `user-${userId}`,
      decider: userDecider,
      expected: 'existing',
      absent: () => new FootnoteError('member_not_found', `Member ${userId} not found`),
      decide: (current) => userDecider.decide({ type: 'CloseUser', data: {} }, current),
    });
    const names = state.status === 'closed' ? state.fingerprints : [];
    for (const name of names) await this.reservations.release(caller, name, userId);
    await this.shown(position);
  }

  /** Waits until lists show a change that no session depends on. */
  async projectedTo(position: Position | null): Promise<void> {
    await this.projected.reached('users', position);
  }

  private async register(caller: Caller, commandId: string, wanted: NewAccount): Promise<Account> {
    const { userId, tenantId, role, fingerprints, address, displayName } = wanted;
    const hash = await wanted.passwordHash();
    const seal = async (field: string, text: string | null) =>
      text === null ? null : this.personal.seal({ tenantId, userId }, field, text);
    const data = {
      user_id: userId,
      tenant_id: tenantId,
      fingerprints: [...fingerprints],
      address: await this.personal.seal({ tenantId, userId }, 'address', address),
      display_name: await seal('display_name', displayName),
      password: await seal('password', hash),
      role,
    };
    const { state } = await this.commands.run({
      caller,
      identity: stepOf(commandId, 'register-user'),
      stream: `user-${userId}`,
      decider: userDecider,
      expected: 'any',
      decide: (current) => userDecider.decide({ type: 'RegisterUser', data }, current),
    });
    if (state.status !== 'active')
      throw new FootnoteError('address_taken', 'This address belongs to an account already');
    return state;
  }
}

export function personOf({ tenant_id, user_id }: Pick<Account, 'tenant_id' | 'user_id'>): PersonOf {
  return { tenantId: tenant_id, userId: user_id };
}
