import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { isFootnoteError } from '#contracts';
import type { AcceptInvitationBody } from '#contracts/http/index';
import { invitationDecider, type InvitationState } from '#domain';
import { EVENT_STORE, type EventStore, foldStream } from '#event-store';
import { CLOCK, type Clock, uuidv5 } from '#platform';

import type { Caller, Visitor } from '../auth/caller.js';
import { ErasedTenants } from '../auth/erased-tenants.js';
import type { Session } from '../auth/session-tokens.js';
import { notFound } from '../edge/path-id.js';
import { type Account, Accounts } from '../people/accounts/accounts.js';
import { AddressReservations } from '../people/accounts/address-reservations.js';
import { personCaller, stepOf } from '../people/accounts/person-caller.js';
import { Fingerprints } from '../people/credentials/fingerprints.js';
import { knownOf } from '../people/credentials/mail-address.js';
import { Passwords, refuseCommon } from '../people/credentials/passwords.js';
import { clientNetwork } from '../people/sign-in/client-network.js';
import { SignInThrottle } from '../people/sign-in/sign-in-throttle.js';
import { signInFailed, SignIns } from '../people/sign-in/sign-ins.js';
import { refusedFor } from '../refusals/refused-subject.js';
import { Handles } from '../use-cases/handles.js';
import { Projected } from '../write/projected.js';
import { StreamCommands } from '../write/stream-commands.js';
import { invitationIdOf, tokenDigest } from './invitation-token.js';

/** Makes an account by a one-time link, and signs in with it. */
export class AcceptInvitation extends Command<Session> {
  constructor(
    readonly visitor: Visitor,
    readonly body: AcceptInvitationBody,
  ) {
    super();
  }
}

type Issued = Exclude<InvitationState, { readonly status: 'absent' }>;

/**
 * Reserves the address, accepts the invitation and creates the account. If several people use one
 * link at once, the invitation's stream accepts one. The account's id is derived from invitation
 * and address. So a person who was accepted and lost the answer succeeds again with the same link,
 * address and password.
 */
@Handles(AcceptInvitation)
export class AcceptInvitationHandler implements ICommandHandler<AcceptInvitation> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly projected: Projected,
    private readonly accounts: Accounts,
    private readonly reservations: AddressReservations,
    private readonly fingerprints: Fingerprints,
    private readonly passwords: Passwords,
    private readonly throttle: SignInThrottle,
    private readonly signIns: SignIns,
    private readonly erased: ErasedTenants,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * @throws FootnoteError `invitation_not_found` whatever is wrong with the link, `address_taken`,
   * `sign_in_failed`.
   */
  async execute({ visitor, body: { token, email, password } }: AcceptInvitation): Promise<Session> {
    await refuseCommon('password', password, knownOf(email));
    const client = clientNetwork(visitor.http.ip ?? '');
    this.throttle.registration(client);
    const fingerprint = await this.fingerprints.ofAddress(email);
    const { invitation, tenantId } = await this.find(token);
    const userId = uuidv5('invited-user', invitation.invitation_id, fingerprint);
    const acceptance = {
      user_id: userId,
      digest: tokenDigest(token),
      fingerprint,
      now: this.clock.now().toISOString(),
    };
    invitationDecider.decide({ type: 'AcceptInvitation', data: acceptance }, invitation);
    const before = await this.accounts.stateOf(userId);
    if (before.status === 'active')
      return this.again(visitor, before, { fingerprint, client, password });
    if (before.status !== 'absent') throw notFound('invitation_not_found', '');
    const caller = personCaller(visitor, { tenantId, userId });
    await this.reservations.reserve(caller, fingerprint, userId);
    await this.accept(caller, invitation.invitation_id, acceptance);
    const account = await this.accounts.open(caller, userId, {
      tenantId,
      userId,
      role: invitation.role,
      fingerprints: [fingerprint],
      address: email.trim(),
      displayName: null,
      passwordHash: () => this.passwords.hash(password),
    });
    return this.signIns.start(visitor, account, 'invitation');
  }

  private async find(
    token: string,
  ): Promise<{ readonly invitation: Issued; readonly tenantId: string }> {
    const id = invitationIdOf(token);
    let tenantId = '';
    const onEvent = ({ metadata }: { metadata: { tenant_id: string } }) =>
      (tenantId ||= metadata.tenant_id);
    const stream = `invitation-${id ?? 'none'}` as const;
    const { state } = await foldStream(this.store, invitationDecider, stream, { onEvent });
    if (state.status === 'absent' || this.erased.has(tenantId))
      throw notFound('invitation_not_found', '');
    return { invitation: state, tenantId };
  }

  private async accept(
    caller: Caller,
    id: string,
    data: {
      readonly user_id: string;
      readonly digest: string;
      readonly fingerprint: string;
      readonly now: string;
    },
  ): Promise<void> {
    try {
      const { position } = await this.commands.run({
        caller,
        identity: stepOf(data.user_id, 'accept'),
        stream: `invitation-${id}`,
        decider: invitationDecider,
        expected: 'existing',
        absent: () => notFound('invitation_not_found', ''),
        decide: (current) => invitationDecider.decide({ type: 'AcceptInvitation', data }, current),
      });
      await this.projected.reached('invitations', position);
    } catch (error) {
      if (isFootnoteError(error, 'invitation_not_found')) {
        await this.reservations.release(caller, data.fingerprint, data.user_id);
      }
      throw error;
    }
  }

  /** The link was used by this very person: who has the password is signed in. */
  private async again(
    visitor: Visitor,
    account: Account,
    given: { readonly fingerprint: string; readonly client: string; readonly password: string },
  ): Promise<Session> {
    const attempt = this.throttle.attempt(given.fingerprint, given.client);
    const hash = await this.accounts.passwordHash(account);
    if (!(await this.passwords.verify(hash, given.password))) {
      const { tenant_id: tenantId, user_id: userId } = account;
      throw refusedFor(signInFailed(), { tenantId, userId });
    }
    attempt.succeeded();
    return this.signIns.start(visitor, account, 'password');
  }
}
