import { FIRST_TENANT_ID } from '../ids/ids.js';
import { ConfigError } from './config-error.js';
import type { IDENTITY_VARIABLES } from './identity-variables.js';
import type { MappedRole } from './parsers.js';

type Values = {
  readonly [Name in keyof typeof IDENTITY_VARIABLES]: ReturnType<
    (typeof IDENTITY_VARIABLES)[Name]['parse']
  >;
};

/** The OpenID Connect provider for the people of one tenant. */
export interface IdentitySettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Separated by spaces. */
  readonly scopes: string;
  /** Registered at the provider, which compares it character by character. */
  readonly redirectUri: string;
  /** Identifier of `/mcp` as a resource of OAuth, which access tokens name as audience. */
  readonly mcpResource: string;
  readonly tenantId: string;
  readonly roleClaim: string | undefined;
  /** In order of precedence. */
  readonly roles: readonly { readonly value: string; readonly role: MappedRole }[];
  /** Null: people without a role are rejected. */
  readonly defaultRole: MappedRole | null;
  readonly trustEmail: boolean;
}

/** The path of the redirect URI. */
const OIDC_CALLBACK_PATH = '/auth/oidc/callback';
const MCP_PATH = '/mcp';

const NEEDED = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;
const NEEDS_ISSUER = [...NEEDED, 'OIDC_TENANT', 'OIDC_ROLE_CLAIM', 'OIDC_ROLES'] as const;

/**
 * Returns the settings of the provider; undefined without an issuer.
 * @throws ConfigError for incomplete or contradictory settings.
 */
export function identitySettings(
  values: Values,
  publicUrl: string | undefined,
): IdentitySettings | undefined {
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
  } = values;
  if (issuer === undefined) {
    const stray = NEEDS_ISSUER.find((name) => values[name] !== undefined);
    if (stray) throw new ConfigError(`OIDC_ISSUER is required when ${stray} is set`);
    return undefined;
  }
  if (clientId === undefined || clientSecret === undefined || publicUrl === undefined) {
    const missing = NEEDED.find((name) => values[name] === undefined) ?? 'PUBLIC_URL';
    throw new ConfigError(`${missing} is required when OIDC_ISSUER is set`);
  }
  if ((values.OIDC_ROLES === undefined) !== (values.OIDC_ROLE_CLAIM === undefined)) {
    throw new ConfigError('OIDC_ROLE_CLAIM and OIDC_ROLES must be set together');
  }
  const defaultRole = values.OIDC_DEFAULT_ROLE === 'none' ? null : values.OIDC_DEFAULT_ROLE;
  if (values.OIDC_ROLES === undefined && defaultRole === null) {
    throw new ConfigError(
      'OIDC_ROLES is required with OIDC_DEFAULT_ROLE=none; otherwise nobody could sign in',
    );
  }
  return {
    issuer,
    clientId,
    clientSecret,
    scopes: values.OIDC_SCOPES,
    redirectUri: new URL(`${publicUrl}${OIDC_CALLBACK_PATH}`).href,
    mcpResource: new URL(`${publicUrl}${MCP_PATH}`).href,
    tenantId: values.OIDC_TENANT ?? FIRST_TENANT_ID,
    roleClaim: values.OIDC_ROLE_CLAIM,
    roles: values.OIDC_ROLES ?? [],
    defaultRole,
    trustEmail: values.OIDC_TRUST_EMAIL,
  };
}
