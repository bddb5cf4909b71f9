/**
 * In the place of a tenant's id on what is the service's own: what it notes for itself, and sources
 * that it alone looks in. The feed leaves its events out.
 */
export const SYSTEM_TENANT = 'system';

/** Owns the packages that everybody can have: what is said of them and their sources. */
export const PUBLIC_TENANT = 'public';

/**
 * Returns whether an id belongs to no real tenant. Ids of tenants are UUIDs, and no key is issued
 * for a reserved id.
 */
export function isReservedTenant(tenantId: string): boolean {
  return tenantId === SYSTEM_TENANT || tenantId === PUBLIC_TENANT;
}
