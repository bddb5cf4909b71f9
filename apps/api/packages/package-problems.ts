/** Errors of requests that name a package. */
export const HAVING_A_PACKAGE = [
  'scope_missing',
  'package_refused',
  'registry_not_configured',
  'package_not_found',
  'package_version_not_found',
  'registry_unavailable',
  'registry_timeout',
] as const;
/** Errors of requests that wait until it is indexed. */
export const INDEXING_IT = [
  'package_too_large',
  'package_unreadable',
  'package_timeout',
  'rate_limited',
] as const;
