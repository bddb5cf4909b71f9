import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { type Actor, FootnoteError, isFootnoteError, type Role } from '#contracts';
import { membersDecider, tenantDecider, userDecider } from '#domain';
import { EVENT_STORE, type EventStore, foldStream } from '#event-store';
import { type Config, type IdentitySettings, LOGGER, type Logger, uuidv7 } from '#platform';

import type { Caller, Visitor } from '../auth/caller.js';
import type { Session } from '../auth/session-tokens.js';
import { CONFIG } from '../engines/engines.js';
import { type Account, Accounts, personOf } from '../people/accounts/accounts.js';
import { personCaller, stepOf } from '../people/accounts/person-caller.js';
import { Fingerprints } from '../people/credentials/fingerprints.js';
import { ExternalSignIn } from '../people/sign-in/external-sign-in.js';
import { SignIns } from '../people/sign-in/sign-ins.js';
import { Handles } from '../use-cases/handles.js';
import { StreamCommands } from '../write/stream-commands.js';
import { type ProvidedPerson, providedPerson } from './provided-person.js';
import {
  IDENTITY_PROVIDER,
  type IdentityProvider,
  type PendingSignIn,
} from './provider/identity-provider.port.js';

/** The actor for statements of the provider, which are not the person's own. */
const PROVIDER: Actor = { type: 'system', id: 'openid-connect' };

/** Signs in whom the provider sends back. */
export class FinishSignIn extends Command<Session> {
  constructor(
    readonly visitor: Visitor,
    /** The query that the browser came back with. */
    readonly answer: URLSearchParams,
    readonly pending: PendingSignIn,
  ) {
    super();
  }
}

/**
 * Issuer and subject of the provider identify a person; an address never does. The first sign-in
 * creates the account. Each one sets its present role, except that the last owner of a tenant stays
 * one. A person without a role is signed out everywhere.
 */
@Handles(FinishSignIn)
export class FinishSignInHandler implements ICommandHandler<FinishSignIn> {
  constructor(
    private readonly accounts: Accounts,
    private readonly fingerprints: Fingerprints,
    private readonly external: ExternalSignIn,
    private readonly signIns: SignIns,
    private readonly commands: StreamCommands,
    @Inject(IDENTITY_PROVIDER) private readonly provider: IdentityProvider | null,
    @Inject(CONFIG) private readonly config: Pick<Config, 'identity'>,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @throws FootnoteError `sign_in_failed`, `provider_unavailable`, `address_taken` */
  async execute({ visitor, answer, pending }: FinishSignIn): Promise<Session> {
    const { provider } = this;
    const { identity: settings } = this.config;
    if (!provider || !settings) throw new FootnoteError('not_found', 'Route not found');
    const person = providedPerson(await provider.finish(answer, pending), settings);
    const account = await this.accounts.findByName(
      await this.fingerprints.ofSubject(person.issuer, person.subject),
    );
    if (account && account.tenant_id !== settings.tenantId)
      throw refused('The account belongs to another tenant');
    const { role } = person;
    if (role === null) {
      if (account) await this.signOutEverywhere(visitor, account);
      throw refused('The identity provider assigns no role to this person');
    }
    const session = account
      ? await this.signIns.start(visitor, account, 'oidc').catch(reported)
      : await this.begin(visitor, { ...person, role }, settings);
    await this.follow(providerCaller(visitor, session), role);
    return session;
  }

  private async begin(
    visitor: Visitor,
    { issuer, subject, address, displayName, role }: ProvidedPerson & { readonly role: Role },
    { tenantId }: IdentitySettings,
  ): Promise<Session> {
    if (address === null)
      throw refused('The identity provider confirms no email address of this person');
    await this.requireTenant(tenantId);
    return this.external
      .signIn(visitor, { issuer, subject, address, displayName, tenantId, role })
      .catch(reported);
  }

  private async requireTenant(tenantId: string): Promise<void> {
    const { revision } = await foldStream(this.store, tenantDecider, `tenant-${tenantId}`);
    if (revision !== 'none') return;
    this.logger.error(
      { tenant_id: tenantId },
      'OIDC_TENANT must name an existing tenant: nobody can sign in',
    );
    throw new FootnoteError(
      'provider_unavailable',
      'Sign-in by the identity provider is not set up completely',
    );
  }

  private async follow(caller: Caller & { readonly userId: string }, role: Role): Promise<void> {
    const { tenantId, userId } = caller;
    try {
      const { position } = await this.commands.run({
        caller,
        identity: stepOf(uuidv7(), 'follow-role'),
        stream: `members-${tenantId}`,
        decider: membersDecider,
        expected: 'any',
        decide: (current) =>
          membersDecider.decide({ type: 'ChangeRole', data: { user_id: userId, role } }, current),
      });
      await this.accounts.shown(position);
    } catch (error) {
      if (!isFootnoteError(error, 'last_owner')) throw error;
      this.logger.warn(
        { user_id: userId, role },
        'The last owner of a tenant keeps that role, whatever the provider says',
      );
    }
  }

  private async signOutEverywhere(visitor: Visitor, account: Account): Promise<void> {
    const { position } = await this.commands.run({
      caller: { ...personCaller(visitor, personOf(account)), actor: PROVIDER },
      identity: stepOf(uuidv7(), 'sign-out'),
      stream: `user-${account.user_id}`,
      decider: userDecider,
      expected: 'existing',
      decide: (current) => userDecider.decide({ type: 'RevokeSessions', data: {} }, current),
    });
    await this.accounts.shown(position);
  }
}

function providerCaller(
  visitor: Visitor,
  { tenantId, userId }: Session,
): Caller & { readonly userId: string } {
  return { ...personCaller(visitor, { tenantId, userId }), actor: PROVIDER, userId };
}

function refused(message: string): FootnoteError {
  return new FootnoteError('sign_in_failed', message);
}

/** Throws the error of a rejected sign-in in words for this method. */
function reported(error: unknown): never {
  throw isFootnoteError(error, 'sign_in_failed')
    ? refused('The person was removed from the tenant')
    : error;
}
