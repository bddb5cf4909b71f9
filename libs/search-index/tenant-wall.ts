import type { CandidateQuery } from './search-index.port.js';

/**
 * The one place that keeps searches within the tenants that they may see: every engine lets each
 * query pass here before it looks at anything. That a query names no tenant, or a source of
 * another, is a fault of the caller, and never answered.
 * @returns the query. @throws Error when it could show what is another's.
 */
export function withinTenants(query: CandidateQuery): CandidateQuery {
  const tenants = new Set(query.tenants);
  if (tenants.size === 0) throw new Error('A search names the tenants whose content it may see');
  for (const { tenantId } of [...query.scope, ...query.corpus]) {
    if (!tenants.has(tenantId))
      throw new Error('A search named a source of a tenant that it may not see');
  }
  return query;
}
