import type { CandidateQuery } from './search-index.port.js';

/**
 * Checks that a search stays within the tenants that it may see; every engine passes each query
 * through here first. A query without a tenant, or with a source of another one, is a defect of the
 * caller, and is never answered.
 * @returns the query.
 * @throws Error if it could show content of another tenant.
 */
export function withinTenants(query: CandidateQuery): CandidateQuery {
  const tenants = new Set(query.tenants);
  if (tenants.size === 0)
    throw new Error('A search must name the tenants whose content it may see');
  for (const { tenantId } of [...query.scope, ...query.corpus]) {
    if (!tenants.has(tenantId))
      throw new Error('A search names a source of a tenant that it may not see');
  }
  return query;
}
