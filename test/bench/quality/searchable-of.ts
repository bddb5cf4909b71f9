import type { SearchableSource } from '#search';
import type { LiveSource } from '#search-index';

/** Returns an indexed repository as searches see it: the tenant's own, and synced at a time. */
export function searchableOf(
  { tenantId, sourceId, generation }: LiveSource,
  syncedAt: number,
): SearchableSource {
  return {
    tenantId,
    sourceId,
    generation,
    name: sourceId,
    audience: { kind: 'tenant' },
    kind: 'repo',
    versionRef: '',
    pages: null,
    syncedAt,
  };
}
