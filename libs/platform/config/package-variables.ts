import { byteSize, httpUrl, integer, privateRegistries } from './parsers.js';
import { optional, variable } from './variable.js';

/** Package registries and size limits of packages. */
export const PACKAGE_VARIABLES = {
  NPM_REGISTRY_URL: variable(
    httpUrl,
    'https://registry.npmjs.org',
    'Registry of npm packages, or a mirror of it.',
  ),
  PYPI_URL: variable(
    httpUrl,
    'https://pypi.org',
    'Index of Python packages that serves `/pypi/NAME/json`, or a mirror of it.',
  ),
  CARGO_INDEX_URL: optional(
    httpUrl,
    'Sparse index of Rust crates, the public one or a mirror; no crates if unset.',
  ),
  MAVEN_REPOSITORY_URL: optional(
    httpUrl,
    'Maven repository, the public one or a mirror; no artifacts if unset.',
  ),
  GO_PROXY_URL: optional(
    httpUrl,
    'Go module proxy, the public one or a mirror; no modules if unset.',
  ),
  PRIVATE_REGISTRIES: optional(
    privateRegistries,
    'Private registries: a JSON list of `{ecosystem, url, names, tenants, token?, username?}`. Packages that match `names` (`@acme/*`) are looked up there for the tenants in `tenants`, and belong to that tenant only.',
    true,
  ),
  PACKAGE_MAX_BYTES: variable(
    byteSize,
    '50 MiB',
    'Maximum size of a package archive; larger ones are rejected.',
  ),
  PACKAGE_MAX_UNPACKED_BYTES: variable(
    byteSize,
    '300 MiB',
    'Maximum unpacked size of a package; larger ones are rejected.',
  ),
  PACKAGE_MAX_FILES: variable(
    integer(1, 1_000_000),
    '50000',
    'Maximum files of a package; packages with more are rejected.',
  ),
  REGISTRY_TIMEOUT_SECONDS: variable(
    integer(1, 600),
    '15',
    'Maximum time for a registry to describe a package; twenty times as long for an archive.',
  ),
} as const;
