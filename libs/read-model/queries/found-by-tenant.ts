import { Raw } from 'typeorm';

import type { Audience } from '#contracts';

/**
 * SQL for: the whole tenant may find it. Rows for any other audience are shown to nobody who asks
 * as a tenant.
 */
export function foundByTenant(column: string): string {
  return `${column} ->> 'kind' = 'tenant'`;
}

/** The same as a condition on a column of an entity. */
export const FOUND_BY_TENANT = Raw<Audience>(foundByTenant);
