import { Inject, Injectable } from '@nestjs/common';

import type { Role } from '#contracts';
import type { MeView } from '#contracts/http/index';
import { tenantDecider } from '#domain';
import { EVENT_STORE, type EventStore, foldStream } from '#event-store';

import { unauthorized } from '../auth/credentials.js';
import { KnownUsers } from '../auth/known-users.js';
import { Sessions } from '../auth/sessions.js';
import { Accounts, personOf } from './accounts/accounts.js';
import { ERASED, PersonalText } from './accounts/personal-text.js';

/** A person in a session. */
export interface InSession {
  readonly userId: string;
  readonly sessionId: string;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
}

/**
 * Returns a signed-in person's view of themselves, read from the log: every answer shows the
 * changes of the one before it.
 */
@Injectable()
export class Me {
  constructor(
    private readonly accounts: Accounts,
    private readonly known: KnownUsers,
    private readonly sessions: Sessions,
    private readonly personal: PersonalText,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** @throws FootnoteError `unauthorized` where the account was closed in the meantime. */
  async view({ userId, sessionId, endsAt }: InSession): Promise<MeView> {
    const account = await this.accounts.find(userId);
    const role: Role | undefined = this.known.find(userId)?.role;
    if (!account || !role) throw unauthorized();
    const { tenant_id, display_name } = account;
    const person = personOf(account);
    const tenant = await foldStream(this.store, tenantDecider, `tenant-${tenant_id}`);
    return {
      id: userId,
      email: (await this.personal.open(person, 'address', account.address)) ?? ERASED,
      display_name:
        display_name === null
          ? null
          : ((await this.personal.open(person, 'display_name', display_name)) ?? ERASED),
      role,
      tenant_id,
      tenant_name: tenant.state.status === 'active' ? tenant.state.name : '',
      csrf_token: await this.sessions.csrfOf(sessionId),
      session_ends_at: new Date(endsAt).toISOString(),
    };
  }
}
