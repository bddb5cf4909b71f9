import { integer } from './parsers.js';
import { variable } from './variable.js';

/** How packages are searched on demand, and what is kept of them. */
export const PACKAGE_SEARCH_VARIABLES = {
  PACKAGE_SEARCH_SECONDS: variable(
    integer(1, 300),
    '25',
    'How long a search in a package waits until that is indexed; then 504, and a later search finds it.',
  ),
  PACKAGE_LATEST_SECONDS: variable(
    integer(0, 86_400),
    '600',
    'How long no registry is asked again which version of a package is the latest.',
  ),
  PACKAGE_CACHE_CHUNKS: variable(
    integer(0, 1_000_000_000),
    '2000000',
    'Chunks (about 2 KiB of disk each) of packages that nobody links; beyond, the least recently used are dropped.',
  ),
  PACKAGE_CACHE_DAYS: variable(
    integer(1, 3_650),
    '30',
    'A package that nobody links and nobody searched for so long is dropped.',
  ),
  PACKAGE_MAX_LINKS: variable(
    integer(1, 100_000),
    '500',
    'Packages that one tenant may link; what is linked is kept however much it is.',
  ),
  CATALOGUE_REQUESTS_PER_MINUTE: variable(
    integer(1, 1_000_000),
    '120',
    'Requests to the public catalogue of packages that one address may make to one process.',
  ),
} as const;
