import { ConfigError } from './config-error.js';
import { FIRST_TENANT_ID } from '../ids/ids.js';
import type { IDENTITY_VARIABLES } from './identity-variables.js';
import type { MappedRole } from './parsers.js';

type Values = {
  readonly [Name in keyof typeof IDENTITY_VARIABLES]: ReturnType<(typeof IDENTITY_VARIABLES)[Name]['parse']>;
};

/** An OpenID Connect provider that people of one tenant sign in by. */
export interface IdentitySettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** With blanks between. */
  readonly scopes: string;
  /** Registered at the provider, and compared there character by character. */
  readonly redirectUri: string;
  readonly tenantId: string;
  readonly roleClaim: string | undefined;
  /** In the order in which they count. */
  readonly roles: readonly { readonly value: string; readonly role: MappedRole }[];
  /** Null: who has no role is refused. */
  readonly defaultRole: MappedRole | null;
  readonly trustEmail: boolean;
}

/** Where providers send people back to. */
export const OIDC_CALLBACK_PATH = '/auth/oidc/callback';

const NEEDED = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;
const NEEDS_ISSUER = [...NEEDED, 'OIDC_TENANT', 'OIDC_ROLE_CLAIM', 'OIDC_ROLES'] as const;

/** @returns undefined without an issuer: nobody signs in by a provider. @throws ConfigError for settings that do not go together. */
export function identitySettings(values: Values, publicUrl: string | undefined): IdentitySettings | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values;
  if (issuer === undefined) {
    const stray = NEEDS_ISSUER.find((name) => values[name] !== undefined);
    if (stray) throw new ConfigError(`${stray} is set, but it needs OIDC_ISSUER.`);
    return undefined;
  }
  if (clientId === undefined || clientSecret === undefined || publicUrl === undefined) {
    const missing = NEEDED.find((name) => values[name] === undefined) ?? 'PUBLIC_URL';
    throw new ConfigError(`${missing} is unset, but OIDC_ISSUER needs it.`);
  }
  if ((values.OIDC_ROLES === undefined) !== (values.OIDC_ROLE_CLAIM === undefined)) {
    throw new ConfigError('Of OIDC_ROLE_CLAIM and OIDC_ROLES one is set, but each needs the other.');
  }
  const defaultRole = values.OIDC_DEFAULT_ROLE === 'none' ? null : values.OIDC_DEFAULT_ROLE;
  if (values.OIDC_ROLES === undefined && defaultRole === null) {
    throw new ConfigError('OIDC_ROLES is unset and OIDC_DEFAULT_ROLE is none: nobody could sign in.');
  }
  return {
    issuer,
    clientId,
    clientSecret,
    scopes: values.OIDC_SCOPES,
    redirectUri: new URL(`${publicUrl}${OIDC_CALLBACK_PATH}`).href,
    tenantId: values.OIDC_TENANT ?? FIRST_TENANT_ID,
    roleClaim: values.OIDC_ROLE_CLAIM,
    roles: values.OIDC_ROLES ?? [],
    defaultRole,
    trustEmail: values.OIDC_TRUST_EMAIL,
  };
}
