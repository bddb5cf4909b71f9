import { boolean, issuerUrl, oneOf, roleMap, scopes, tenantId, text } from './parsers.js';
import { optional, variable } from './variable.js';

/**
 * Sign-in with OpenID Connect. Without OIDC_ISSUER it is off, and the other variables must not be
 * set.
 */
export const IDENTITY_VARIABLES = {
  OIDC_ISSUER: optional(
    issuerUrl,
    'Issuer of the OpenID Connect provider, exactly as in its metadata; requires PUBLIC_URL. See docs/openid-connect.md.',
  ),
  OIDC_CLIENT_ID: optional(text, 'Client ID of the service at the provider.'),
  OIDC_CLIENT_SECRET: optional(text, 'Client secret of the service at the provider.', true),
  OIDC_SCOPES: variable(
    scopes,
    'openid email profile',
    'Requested scopes, separated by spaces, including `openid`.',
  ),
  OIDC_TENANT: optional(
    tenantId,
    'ID of the tenant that people sign in to; the first tenant if unset.',
  ),
  OIDC_ROLE_CLAIM: optional(
    text,
    'Claim with the roles, a string or a list of strings; dots select nested claims, as in `realm_access.roles`.',
  ),
  OIDC_ROLES: optional(
    roleMap,
    'Maps values of OIDC_ROLE_CLAIM to the roles owner, member or auditor, as `admins=owner,staff=member`. The first match counts.',
  ),
  OIDC_DEFAULT_ROLE: variable(
    oneOf('owner', 'member', 'auditor', 'none'),
    'none',
    'Role of people without a match in OIDC_ROLES; `none` rejects them.',
  ),
  OIDC_TRUST_EMAIL: variable(
    boolean,
    'false',
    'Accepts addresses that the provider does not mark as verified (Microsoft Entra ID never does); use it only if people cannot choose their own address at the provider.',
  ),
} as const;
