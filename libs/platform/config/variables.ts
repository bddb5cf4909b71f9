import { AUDIT_VARIABLES } from './audit-variables.js';
import { CHAT_VARIABLES } from './chat-variables.js';
import { EMBEDDING_VARIABLES } from './embedding-variables.js';
import { ENGINE_VARIABLES } from './engine-variables.js';
import { IDENTITY_VARIABLES } from './identity-variables.js';
import { PACKAGE_SEARCH_VARIABLES } from './package-search-variables.js';
import { PACKAGE_VARIABLES } from './package-variables.js';
import {
  absolutePath,
  apiKey,
  boolean,
  byteSize,
  folders,
  gitHosts,
  httpUrl,
  integer,
  key256,
  networks,
  oneOf,
  origins,
  signingSecrets,
  tenantIds,
  text,
} from './parsers.js';
import { QUOTA_VARIABLES } from './quota-variables.js';
import { RERANK_VARIABLES } from './rerank-variables.js';
import { ROVER_VARIABLES } from './rover-variables.js';
import { TRACING_VARIABLES } from './tracing-variables.js';
import { optional, type Variable, variable } from './variable.js';

/**
 * All variables of the service. `docs/configuration.md` is generated from this table; a test
 * compares them.
 */
export const VARIABLES = {
  HOST: variable(text, '127.0.0.1', 'Address that the API listens on.'),
  PORT: variable(
    integer(0, 65_535),
    '8080',
    'Port that the API listens on; 0 selects a free port.',
  ),
  PUBLIC_URL: optional(
    httpUrl,
    'Public address of the service, used in generated links. With https, browsers must use https only.',
  ),
  WEB_UI: variable(boolean, 'true', 'Whether the API serves the page for people at `/ui/`.'),
  CORS_ORIGINS: optional(
    origins,
    'Origins whose pages may call the API from a browser, such as `https://app.example.com`, separated by commas; none if unset.',
  ),
  TRUST_PROXY: optional(
    networks,
    'Networks (CIDR) of trusted proxies; addresses that they forward are used as client addresses.',
  ),
  DATA_DIR: variable(text, '.footnote', 'Folder for all data of the embedded engines.'),
  BOOTSTRAP_API_KEY: optional(
    apiKey,
    'First key of the first tenant in an empty store; generated and printed once if unset.',
    true,
  ),
  MASTER_KEY: optional(
    key256,
    'Wraps the data keys of the tenants; generated in DATA_DIR if unset, required with DATABASE_URL.',
    true,
  ),
  JWT_SECRET: optional(
    signingSecrets,
    'Signs sessions, at least 32 characters; generated in DATA_DIR if unset, required if all engines are servers. Several secrets are separated by commas: the first signs and all are accepted, so a new secret ends no session.',
    true,
  ),
  ALLOW_REGISTRATION: optional(
    boolean,
    'Whether anybody may create a tenant with an account by POST /auth/register; if unset, `true` with an embedded engine and `false` if all engines are servers.',
  ),
  ...ENGINE_VARIABLES,
  ...EMBEDDING_VARIABLES,
  ...RERANK_VARIABLES,
  ...CHAT_VARIABLES,
  ...IDENTITY_VARIABLES,
  GITHUB_TOKEN: optional(
    text,
    'Token for private repositories on GITHUB_GIT_URL; sent only for sources of GITHUB_TOKEN_TENANTS.',
    true,
  ),
  GITHUB_TOKEN_TENANTS: optional(
    tenantIds,
    'IDs of the tenants whose sources may read everything that GITHUB_TOKEN can, separated by commas; if unset, the first tenant with an embedded engine, and none if all engines are servers.',
  ),
  GITHUB_GIT_URL: variable(
    httpUrl,
    'https://github.com',
    'Base URL of git repositories on GitHub.',
  ),
  GITHUB_API_URL: variable(
    httpUrl,
    'https://api.github.com',
    "Base URL of GitHub's REST API; of GitHub Enterprise Server `https://HOST/api/v3`. GITHUB_TOKEN is also sent to it, for the tenants in GITHUB_TOKEN_TENANTS.",
  ),
  GIT_HOST_KINDS: optional(
    gitHosts,
    'Your own git hosts to link citations to, as `git.example.com=gitea`, separated by commas: `github`, `gitlab`, `bitbucket` or `gitea` (also for Forgejo). github.com, gitlab.com, bitbucket.org and codeberg.org are built in.',
  ),
  GIT_KNOWN_HOSTS: optional(
    absolutePath,
    'File of SSH host keys (`known_hosts`): SSH sources are read only from hosts in it. If unset, the first key that a host presents is stored for a source with an `ssh_key`, and later syncs require it.',
  ),
  ALLOW_PRIVATE_NETWORKS: variable(
    boolean,
    'false',
    'Allows sources on private addresses, including loopback.',
  ),
  ALLOW_FILE_URLS: variable(
    folders,
    'false',
    'Allows file:// URLs for git sources: absolute folders that contain them, separated by commas, or `true` for any folder, which is unsafe with several tenants; never in DATA_DIR. Links are resolved first.',
  ),
  RETENTION_GENERATIONS: variable(
    integer(0, 100),
    '1',
    'Earlier generations of a source that are kept in addition to the live one.',
  ),
  MAX_SOURCE_BYTES: variable(byteSize, '2 GiB', 'Maximum size of a source.'),
  MAX_FILE_BYTES: variable(
    byteSize,
    '2 MiB',
    'Maximum size of a file in a source; larger files are skipped and counted.',
  ),
  MAX_UPLOAD_BYTES: variable(
    byteSize,
    '50 MiB',
    'Maximum size of a PDF, uploaded or fetched from a URL.',
  ),
  PDF_MAX_PAGES: variable(integer(1, 100_000), '5000', 'A PDF with more pages fails its job.'),
  PDF_MAX_SECONDS: variable(
    integer(1, 3_600),
    '120',
    'A PDF that takes longer to read, in elapsed time or in processor time, fails its job.',
  ),
  PDF_MAX_MEMORY: variable(
    byteSize,
    '512 MiB',
    'A PDF that needs more memory to read fails its job; two are read at once.',
  ),
  MAX_SOURCE_FILES: variable(
    integer(1, 5_000_000),
    '200000',
    'A source that lists more files, selected or not, fails its job; the same limit applies to folders.',
  ),
  CRAWL_CONCURRENCY: variable(
    integer(1, 32),
    '4',
    'Pages of one documentation site that are fetched at once.',
  ),
  CRAWL_DELAY_MS: variable(
    integer(0, 60_000),
    '50',
    'Minimum time between the starts of two requests to one documentation site; its robots.txt may require more, up to 10 s.',
  ),
  CRAWL_MAX_PAGES: variable(
    integer(1, 1_000_000),
    '10000',
    'Pages of one documentation site that a sync requests; further pages are left out and counted.',
  ),
  CRAWL_USER_AGENT: variable(
    text,
    'Footnote (documentation indexer)',
    'User-Agent sent to documentation sites; the robots.txt rules for Footnote apply.',
  ),
  ...PACKAGE_VARIABLES,
  MAX_CHUNKS_PER_SOURCE: variable(
    integer(1, 5_000_000),
    '500000',
    'A source with more chunks fails its job.',
  ),
  JOB_MAX_RETRIES: variable(integer(0, 20), '3', 'Automatic retries of a job.'),
  JOB_LEASE_SECONDS: variable(
    integer(1, 3_600),
    '30',
    'Time without a sign of life after which a worker is considered dead.',
  ),
  STAGE_CONCURRENCY: variable(
    integer(1, 256),
    '4',
    'Concurrent attempts of each stage in a process; tenants take turns, and none gets more than STAGE_PLACES_PER_TENANT.',
  ),
  STAGE_PLACES_PER_TENANT: variable(
    integer(0, 256),
    '0',
    'Concurrent attempts of each stage that one tenant may have in a process, including the fetch stage; 0 means half of STAGE_CONCURRENCY.',
  ),
  FETCH_MIN_BYTES_PER_SECOND: variable(
    integer(1, 1_000_000_000),
    '1000',
    'A transfer that stays slower for FETCH_SLOW_SECONDS is aborted, and retried like any transient failure.',
  ),
  FETCH_SLOW_SECONDS: variable(
    integer(1, 3_600),
    '15',
    'How long a transfer may stay slower than FETCH_MIN_BYTES_PER_SECOND.',
  ),
  STAGE_TIMEOUT_SECONDS: variable(
    integer(1, 86_400),
    '3600',
    'Maximum time of one attempt of a stage.',
  ),
  ...QUOTA_VARIABLES,
  ...AUDIT_VARIABLES,
  START_TIMEOUT_SECONDS: variable(
    integer(0, 86_400),
    '60',
    'How long a start retries unavailable servers before it fails; 0 fails at the first attempt.',
  ),
  SHUTDOWN_DELAY_SECONDS: variable(
    integer(0, 300),
    '0',
    'How long the API keeps serving after a stop request while it reports that it is not ready; for load balancers.',
  ),
  ...PACKAGE_SEARCH_VARIABLES,
  ...ROVER_VARIABLES,
  WORKER_THREADS: variable(
    integer(0, 64),
    '0',
    'Threads for parsing, chunking and embedding; 0 means one per core.',
  ),
  SEARCH_THREADS: variable(
    integer(0, 16),
    '0',
    'Threads that search the embedded index; 0 means one per core minus one, at least 1 and at most 4. ' +
      'With two cores, 0 adds a second one when the index has 200,000 chunks.',
  ),
  LOG_LEVEL: variable(
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'info',
    'Minimum severity of log lines.',
  ),
  ...TRACING_VARIABLES,
} as const satisfies Readonly<Record<string, Variable<unknown>>>;

export type VariableName = keyof typeof VARIABLES;
