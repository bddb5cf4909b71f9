import { boolean, issuerUrl, oneOf, roleMap, scopes, tenantId, text } from './parsers.js';
import { optional, variable } from './variable.js';

/** Sign-in by a team's own OpenID Connect provider. Without OIDC_ISSUER there is none, and the others may not be set. */
export const IDENTITY_VARIABLES = {
  OIDC_ISSUER: optional(
    issuerUrl,
    'Issuer of the OpenID Connect provider that people sign in by, exactly as its metadata names it; needs PUBLIC_URL. See docs/openid-connect.md.',
  ),
  OIDC_CLIENT_ID: optional(text, 'Who the service is to the provider.'),
  OIDC_CLIENT_SECRET: optional(text, 'What it proves that with.', true),
  OIDC_SCOPES: variable(scopes, 'openid email profile', 'What is asked for, with blanks between; `openid` among it.'),
  OIDC_TENANT: optional(tenantId, 'Id of the tenant that people sign in to; the first one when unset.'),
  OIDC_ROLE_CLAIM: optional(
    text,
    'Claim that tells roles, as a text or a list of texts; dots lead inside, as in `realm_access.roles`.',
  ),
  OIDC_ROLES: optional(
    roleMap,
    'What values of OIDC_ROLE_CLAIM stand for, as `admins=owner,staff=member`: owner, member or auditor. The first that fits counts.',
  ),
  OIDC_DEFAULT_ROLE: variable(
    oneOf('owner', 'member', 'auditor', 'none'),
    'none',
    'Role of people whom OIDC_ROLES names no role for; with `none` they are refused.',
  ),
  OIDC_TRUST_EMAIL: variable(
    boolean,
    'false',
    'Takes addresses that the provider does not call verified, as Microsoft Entra ID never does; only where nobody can choose an address at the provider.',
  ),
} as const;
