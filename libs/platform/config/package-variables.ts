import { byteSize, httpUrl, integer, privateRegistries } from './parsers.js';
import { optional, variable } from './variable.js';

/** Where packages come from, and how large they may be. */
export const PACKAGE_VARIABLES = {
  NPM_REGISTRY_URL: variable(httpUrl, 'https://registry.npmjs.org', 'Registry of npm packages, or a mirror of it.'),
  PYPI_URL: variable(
    httpUrl,
    'https://pypi.org',
    'Index of Python packages that serves `/pypi/NAME/json`, or a mirror of it.',
  ),
  CARGO_INDEX_URL: optional(
    httpUrl,
    'Sparse index of Rust crates, the public one or a mirror; without it there are none.',
  ),
  MAVEN_REPOSITORY_URL: optional(
    httpUrl,
    'Maven repository, the public one or a mirror; without it there are no artifacts.',
  ),
  GO_PROXY_URL: optional(httpUrl, 'Go module proxy, the public one or a mirror; without it there are no modules.'),
  PRIVATE_REGISTRIES: optional(
    privateRegistries,
    'Registries of a team of its own: a JSON list of `{ecosystem, url, names, tenants, token?, username?}`. What `names` match (`@acme/*`) is looked up there for the tenants in `tenants`, whose own it stays, and for nobody else.',
    true,
  ),
  PACKAGE_MAX_BYTES: variable(byteSize, '50 MiB', 'A package whose archive is larger is refused.'),
  PACKAGE_MAX_UNPACKED_BYTES: variable(byteSize, '300 MiB', 'A package that unpacks to more is refused.'),
  PACKAGE_MAX_FILES: variable(integer(1, 1_000_000), '50000', 'A package of more files is refused.'),
  REGISTRY_TIMEOUT_SECONDS: variable(
    integer(1, 600),
    '15',
    'Longest that a registry may take to describe a package; an archive has twenty times as long.',
  ),
} as const;
