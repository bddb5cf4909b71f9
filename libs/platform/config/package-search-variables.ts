import { integer } from './parsers.js';
import { variable } from './variable.js';

/** Package search on demand, and the cache of packages. */
export const PACKAGE_SEARCH_VARIABLES = {
  PACKAGE_SEARCH_SECONDS: variable(
    integer(1, 300),
    '25',
    'How long a search in a package waits for indexing; then it returns 504, and a later search finds the package.',
  ),
  PACKAGE_LATEST_SECONDS: variable(
    integer(0, 86_400),
    '600',
    'How long the latest version of a package is cached.',
  ),
  PACKAGE_CACHE_CHUNKS: variable(
    integer(0, 1_000_000_000),
    '2000000',
    'Maximum chunks (about 2 KiB of disk each) of packages without links; beyond it, the least recently used are dropped.',
  ),
  PACKAGE_CACHE_DAYS: variable(
    integer(1, 3_650),
    '30',
    'A package without links that nobody searched for this long is dropped.',
  ),
  PACKAGE_MAX_LINKS: variable(
    integer(1, 100_000),
    '500',
    'Maximum packages that one tenant may link; linked packages are kept regardless of their size.',
  ),
  CATALOGUE_REQUESTS_PER_MINUTE: variable(
    integer(1, 1_000_000),
    '120',
    'Requests to the public catalog of packages that one address may send to one process.',
  ),
} as const;
