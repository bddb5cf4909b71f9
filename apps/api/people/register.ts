import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { RegisterBody } from '#contracts/http/index';
import { tenantDecider } from '#domain';

import type { Caller, Visitor } from '../auth/caller.js';
import type { Session } from '../auth/session-tokens.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { StreamCommands } from '../write/stream-commands.js';
import { Accounts } from './accounts/accounts.js';
import { AddressReservations } from './accounts/address-reservations.js';
import { personCaller, stepOf, strangerCaller } from './accounts/person-caller.js';
import { Fingerprints } from './credentials/fingerprints.js';
import { knownOf } from './credentials/mail-address.js';
import { Passwords, refuseCommon } from './credentials/passwords.js';
import { clientNetwork } from './sign-in/client-network.js';
import { SignInThrottle } from './sign-in/sign-in-throttle.js';
import { SignIns } from './sign-in/sign-ins.js';

/** Creates a tenant and the account of its owner, and signs the owner in. */
export class Register extends Command<Session> {
  constructor(
    readonly visitor: Visitor,
    readonly body: RegisterBody,
  ) {
    super();
  }
}

/**
 * Writes four streams in a fixed order, each step safe to repeat: the address is reserved, the
 * tenant made, the account, its membership. With an Idempotency-Key a second try continues where
 * the first one ended. Without one, an address that a crash left reserved is free after a minute.
 */
@Handles(Register)
export class RegisterHandler implements ICommandHandler<Register> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly accounts: Accounts,
    private readonly reservations: AddressReservations,
    private readonly fingerprints: Fingerprints,
    private readonly passwords: Passwords,
    private readonly throttle: SignInThrottle,
    private readonly signIns: SignIns,
  ) {}

  async execute({ visitor, body }: Register): Promise<Session> {
    const { email, password, tenant_name } = body;
    await refuseCommon('password', password, knownOf(email, tenant_name));
    this.throttle.registration(clientNetwork(visitor.http.ip ?? ''));
    const fingerprint = await this.fingerprints.ofAddress(email);
    const identity = await this.identities.of(await this.claimant(visitor, fingerprint), {
      email: fingerprint,
      password: await this.fingerprints.of('password', fingerprint, password),
      tenant_name,
    });
    const tenantId = identity.newId('tenant');
    const userId = identity.newId('user');
    const caller = personCaller(visitor, { tenantId, userId });
    await this.reservations.reserve(caller, fingerprint, userId);
    await this.createTenant(caller, identity.commandId, tenant_name);
    const account = await this.accounts.open(caller, identity.commandId, {
      tenantId,
      userId,
      role: 'owner',
      fingerprints: [fingerprint],
      address: email.trim(),
      displayName: null,
      passwordHash: () => this.passwords.hash(password),
    });
    return this.signIns.start(visitor, account, 'registration');
  }

  /** Keys of strangers differ by their addresses: nobody comes upon another's. */
  private async claimant(visitor: Visitor, fingerprint: string): Promise<Caller> {
    const { idempotencyKey } = visitor;
    const caller = strangerCaller(visitor);
    return idempotencyKey === undefined
      ? caller
      : { ...caller, idempotencyKey: `${fingerprint} ${idempotencyKey}` };
  }

  private async createTenant(caller: Caller, commandId: string, name: string): Promise<void> {
    const { tenantId } = caller;
    await this.commands.run({
      caller,
      identity: stepOf(commandId, 'create-tenant'),
      stream: `tenant-${tenantId}`,
      decider: tenantDecider,
      expected: 'any',
      decide: (state) =>
        tenantDecider.decide({ type: 'CreateTenant', data: { tenant_id: tenantId, name } }, state),
    });
  }
}
