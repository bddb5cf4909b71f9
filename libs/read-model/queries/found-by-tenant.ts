import { Raw } from 'typeorm';

import type { Audience } from '#contracts';

/**
 * Returns SQL for: the whole tenant may find it. Rows for any other audience are not shown to
 * requests of a tenant.
 */
export function foundByTenant(column: string): string {
  return `${column} ->> 'kind' = 'tenant'`;
}

/** The same condition for a column of an entity. */
export const FOUND_BY_TENANT = Raw<Audience>(foundByTenant);
