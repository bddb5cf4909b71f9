import type {
  CandidateQuery,
  FileChunksQuery,
  LiveSource,
  SymbolQuery,
} from './search-index.port.js';

/**
 * Checks that a search stays within the tenants that it may see; every engine passes each query
 * through here first. A query without a tenant, or with a source of another one, is a defect of the
 * caller, and is never answered.
 * @returns the query.
 * @throws Error if it could show content of another tenant.
 */
export function withinTenants(query: CandidateQuery): CandidateQuery {
  checkOwners(query.tenants, [...query.scope, ...query.corpus]);
  return query;
}

/**
 * Checks the same of the files whose chunks are read.
 *
 * @returns the query.
 * @throws Error if it could show content of another tenant.
 */
export function filesWithinTenants(query: FileChunksQuery): FileChunksQuery {
  checkOwners(
    query.tenants,
    query.files.map(({ source }) => source),
  );
  return query;
}

/**
 * Checks the same of the sources whose definitions are read.
 *
 * @returns the query.
 * @throws Error if it could show content of another tenant.
 */
export function symbolsWithinTenants(query: SymbolQuery): SymbolQuery {
  checkOwners(query.tenants, query.scope);
  return query;
}

function checkOwners(visible: readonly string[], sources: readonly LiveSource[]): void {
  const tenants = new Set(visible);
  if (tenants.size === 0)
    throw new Error('A search must name the tenants whose content it may see');
  for (const { tenantId } of sources) {
    if (!tenants.has(tenantId))
      throw new Error('A search names a source of a tenant that it may not see');
  }
}
