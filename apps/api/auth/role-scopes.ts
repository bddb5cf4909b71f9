import type { KeyScope, Role } from '#contracts';

/** The scopes of each role. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly KeyScope[]>> = Object.freeze({
  owner: ['read', 'write', 'audit'],
  member: ['read', 'write'],
  auditor: ['read', 'audit'],
});
