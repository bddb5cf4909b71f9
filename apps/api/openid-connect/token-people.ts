import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';

import { FootnoteError, type KeyScope } from '#contracts';
import { type Config, type IdentitySettings, uuidv7 } from '#platform';

import { AccessTokens, type AccessTokenVerifier } from '../auth/access-tokens.js';
import { ErasedTenants } from '../auth/erased-tenants.js';
import { KnownUsers } from '../auth/known-users.js';
import type { UserPrincipal } from '../auth/principal.js';
import { ROLE_SCOPES } from '../auth/role-scopes.js';
import { CONFIG } from '../engines/engines.js';
import { AddressReservations } from '../people/accounts/address-reservations.js';
import { Fingerprints } from '../people/credentials/fingerprints.js';
import { hasRoleClaim, roleOf } from './provided-person.js';
import {
  IDENTITY_PROVIDER,
  type IdentityProvider,
  type PersonClaims,
} from './provider/identity-provider.port.js';

/**
 * People by the access tokens of the provider. A token creates no account and changes no role: its
 * person has signed in before and is a member of the provider's tenant.
 */
@Injectable()
export class TokenPeople implements AccessTokenVerifier, OnModuleInit {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly users: KnownUsers,
    private readonly erased: ErasedTenants,
    private readonly fingerprints: Fingerprints,
    private readonly reservations: AddressReservations,
    @Inject(IDENTITY_PROVIDER) private readonly provider: IdentityProvider | null,
    @Inject(CONFIG) private readonly config: Pick<Config, 'identity'>,
  ) {}

  onModuleInit(): void {
    if (this.provider) this.tokens.accept(this);
  }

  async principalOf(token: string): Promise<UserPrincipal | null> {
    const { identity: settings } = this.config;
    const claims = settings && (await this.provider?.verify(token));
    if (!claims) return null;
    const userId = await this.reservations.ownerOf(
      await this.fingerprints.ofSubject(claims.iss, claims.sub),
    );
    const user = userId === null ? null : this.users.find(userId);
    const { tenantId } = settings;
    if (userId === null || user?.tenantId !== tenantId || this.erased.has(tenantId))
      throw new FootnoteError(
        'access_denied',
        'This person has no account here; sign in on the web page of the service first',
      );
    return {
      kind: 'user',
      tenantId,
      actor: { type: 'user', id: userId },
      scopes: allowedBy(claims, settings, ROLE_SCOPES[user.role]),
      expiresAt: claims.exp * 1_000,
      userId,
      role: user.role,
      // A token is a session of its own: ending all sessions of the person ends its open streams.
      sessionId: uuidv7(),
      sessionEpoch: user.epoch,
    };
  }
}

/**
 * Returns the scopes of the member's role. A token with the role claim never has more than the role
 * that this claim gives at a sign-in.
 */
function allowedBy(
  claims: PersonClaims,
  settings: IdentitySettings,
  scopes: readonly KeyScope[],
): readonly KeyScope[] {
  if (!hasRoleClaim(claims, settings)) return scopes;
  const role = roleOf(claims, settings);
  if (role === null)
    throw new FootnoteError(
      'access_denied',
      'The identity provider assigns no role to this person',
    );
  return scopes.filter((scope) => ROLE_SCOPES[role].includes(scope));
}
