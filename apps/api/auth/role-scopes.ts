import type { KeyScope, Role } from '#contracts';

/** What a role may do where an API key needs a scope. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly KeyScope[]>> = Object.freeze({
  owner: ['read', 'write', 'audit'],
  member: ['read', 'write'],
  auditor: ['read', 'audit'],
});
