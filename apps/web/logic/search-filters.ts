import type { Route } from './route.js';

/** Returns the fields of a search that the filters in the address stand for. */
export function filtersOf({ params }: Route) {
  return {
    ...(params['source'] && { source_ids: [params['source']] }),
    ...(params['path'] && { path_patterns: [params['path']] }),
    ...(params['language'] && { languages: [params['language']] }),
    ...(params['fresh'] === '1' && { include_stale: false }),
  };
}
