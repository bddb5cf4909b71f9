import { CHAT_VARIABLES } from './chat-variables.js';
import { EMBEDDING_VARIABLES } from './embedding-variables.js';
import { ENGINE_VARIABLES } from './engine-variables.js';
import { PACKAGE_VARIABLES } from './package-variables.js';
import { PACKAGE_SEARCH_VARIABLES } from './package-search-variables.js';
import { IDENTITY_VARIABLES } from './identity-variables.js';
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
import { optional, variable, type Variable } from './variable.js';

/** Every variable the service reads. `docs/configuration.md` is written from this table and a test holds them together. */
export const VARIABLES = {
  HOST: variable(text, '127.0.0.1', 'Address the API listens on.'),
  PORT: variable(integer(0, 65_535), '8080', 'Port the API listens on; 0 takes a free one.'),
  PUBLIC_URL: optional(
    httpUrl,
    'How the outside sees the service; used in what names its address. With https, browsers are told to use nothing else.',
  ),
  CORS_ORIGINS: optional(
    origins,
    'Origins whose pages may call the API from a browser, such as `https://app.example.com`, with commas between; none when unset.',
  ),
  TRUST_PROXY: optional(networks, 'Networks (CIDR) of the proxies whose forwarded addresses are believed.'),
  DATA_DIR: variable(text, '.footnote', 'Folder of everything the embedded engines keep.'),
  BOOTSTRAP_API_KEY: optional(
    apiKey,
    'First key of the first tenant of an empty store; made and printed once when unset.',
    true,
  ),
  MASTER_KEY: optional(
    key256,
    'Wraps the data keys of the tenants; made in DATA_DIR when unset, required with DATABASE_URL.',
    true,
  ),
  JWT_SECRET: optional(
    signingSecrets,
    'Signs the sessions of people, at least 32 characters; made in DATA_DIR when unset, required where all engines are servers. Several with commas between: the first signs, all are believed, so that a new one ends no session.',
    true,
  ),
  ALLOW_REGISTRATION: optional(
    boolean,
    'Lets anybody make a tenant with an account by POST /auth/register; when unset `true` with an embedded engine, `false` where all engines are servers.',
  ),
  ...ENGINE_VARIABLES,
  ...EMBEDDING_VARIABLES,
  ...CHAT_VARIABLES,
  ...IDENTITY_VARIABLES,
  GITHUB_TOKEN: optional(
    text,
    'Token for private repositories on GITHUB_GIT_URL, sent for sources of GITHUB_TOKEN_TENANTS alone.',
    true,
  ),
  GITHUB_TOKEN_TENANTS: optional(
    tenantIds,
    'Ids of the tenants whose sources may read all that GITHUB_TOKEN can, with commas between; when unset the first tenant of a process with an embedded engine, and nobody where all engines are servers.',
  ),
  GITHUB_GIT_URL: variable(httpUrl, 'https://github.com', 'Where git repositories of GitHub live.'),
  GIT_HOST_KINDS: optional(
    gitHosts,
    'Git hosts of your own whose pages citations link to, as `git.example.com=gitea`, with commas between: `github`, `gitlab`, `bitbucket` or `gitea` (Forgejo too). github.com, gitlab.com, bitbucket.org and codeberg.org are known.',
  ),
  GIT_KNOWN_HOSTS: optional(
    absolutePath,
    'File of ssh host keys (`known_hosts`): ssh sources are read from hosts in it alone; when unset, a source with an `ssh_key` holds its host to the key that it showed first.',
  ),
  ALLOW_PRIVATE_NETWORKS: variable(boolean, 'false', 'Lets sources live on private addresses, loopback included.'),
  ALLOW_FILE_URLS: variable(
    folders,
    'false',
    'Lets git sources be file:// URLs: absolute folders that they lie in or below, with commas between, or `true` for anywhere, which is unsafe with several tenants; never in DATA_DIR. Links are resolved first.',
  ),
  RETENTION_GENERATIONS: variable(integer(0, 100), '1', 'Earlier generations of a source kept beside the live one.'),
  MAX_SOURCE_BYTES: variable(byteSize, '2 GiB', 'Largest source that a sync takes.'),
  MAX_FILE_BYTES: variable(byteSize, '2 MiB', 'Larger files of a source are skipped and counted.'),
  MAX_UPLOAD_BYTES: variable(byteSize, '50 MiB', 'Largest PDF, uploaded or fetched from a URL.'),
  PDF_MAX_PAGES: variable(integer(1, 100_000), '5000', 'A PDF with more pages fails its job.'),
  PDF_MAX_SECONDS: variable(
    integer(1, 3_600),
    '120',
    'A PDF that takes longer to read, by the clock or of one processor, fails its job.',
  ),
  PDF_MAX_MEMORY: variable(
    byteSize,
    '512 MiB',
    'A PDF that takes more memory to read fails its job; two are read at once.',
  ),
  MAX_SOURCE_FILES: variable(
    integer(1, 5_000_000),
    '200000',
    'A source that lists more files than that, selected or not, fails its job; as many folders are taken.',
  ),
  CRAWL_CONCURRENCY: variable(integer(1, 32), '4', 'Pages of one documentation site that are fetched at once.'),
  CRAWL_DELAY_MS: variable(
    integer(0, 60_000),
    '50',
    'Between the beginnings of two requests to one documentation site; its robots.txt may ask for more, up to 10 s.',
  ),
  CRAWL_MAX_PAGES: variable(
    integer(1, 1_000_000),
    '10000',
    'Pages of one documentation site that a sync asks for; further ones are left out and counted.',
  ),
  CRAWL_USER_AGENT: variable(
    text,
    'Footnote (documentation indexer)',
    'What documentation sites see as User-Agent; rules of robots.txt are those for Footnote.',
  ),
  ...PACKAGE_VARIABLES,
  MAX_CHUNKS_PER_SOURCE: variable(integer(1, 5_000_000), '500000', 'A source that would exceed it fails its job.'),
  JOB_MAX_RETRIES: variable(integer(0, 20), '3', 'Automatic retries of a job.'),
  JOB_LEASE_SECONDS: variable(integer(1, 3_600), '30', 'Silence after which a worker is presumed dead.'),
  STAGE_CONCURRENCY: variable(
    integer(1, 256),
    '4',
    'Places of each stage in a process; they go round by tenant, and none has more than STAGE_PLACES_PER_TENANT.',
  ),
  STAGE_PLACES_PER_TENANT: variable(
    integer(0, 256),
    '0',
    'Places of each stage that one tenant may hold in a process, of the fetch stage too; 0 takes half of them.',
  ),
  FETCH_MIN_BYTES_PER_SECOND: variable(
    integer(1, 1_000_000_000),
    '1000',
    'A transfer that stays slower for FETCH_SLOW_SECONDS is ended, and tried again like any failure that may pass.',
  ),
  FETCH_SLOW_SECONDS: variable(integer(1, 3_600), '15', 'How long a transfer may stay slower than that.'),
  STAGE_TIMEOUT_SECONDS: variable(integer(1, 86_400), '3600', 'Longest time one attempt of a stage may take.'),
  ...QUOTA_VARIABLES,
  START_TIMEOUT_SECONDS: variable(
    integer(0, 86_400),
    '60',
    'How long a start tries servers that are away again before it fails; 0 fails with the first try.',
  ),
  SHUTDOWN_DELAY_SECONDS: variable(
    integer(0, 300),
    '0',
    'How long the API goes on serving after it was asked to stop and says that it is not ready; for balancers.',
  ),
  ...PACKAGE_SEARCH_VARIABLES,
  WORKER_THREADS: variable(integer(0, 64), '0', 'Threads for parsing, chunking and embedding; 0 takes one a core.'),
  SEARCH_THREADS: variable(
    integer(0, 16),
    '0',
    'Threads that search the embedded index; 0 takes one a core but one, at least 1 and at most 4.',
  ),
  LOG_LEVEL: variable(
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'info',
    'Least severe log line.',
  ),
} as const satisfies Readonly<Record<string, Variable<unknown>>>;

export type VariableName = keyof typeof VARIABLES;
