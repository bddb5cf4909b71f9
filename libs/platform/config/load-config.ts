import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';

import type { GitHostKind, QuotaPlan } from '#contracts';

import { FIRST_TENANT_ID } from '../ids/ids.js';
import { chatSettings, type ChatSettings } from './chat-settings.js';
import { ConfigError } from './config-error.js';
import { embeddingSettings, type EmbeddingSettings } from './embedding-settings.js';
import { engineSettings, type EngineSettings } from './engine-settings.js';
import { packageSettings, type PackageSettings } from './package-settings.js';
import { identitySettings, type IdentitySettings } from './identity-settings.js';
import { isTakes } from './parsers.js';
import type { Variable } from './variable.js';
import { VARIABLES, type VariableName } from './variables.js';

type Values = { readonly [Name in VariableName]: ReturnType<(typeof VARIABLES)[Name]['parse']> };

/** The service's whole configuration, read once at start and frozen. Sizes are bytes, times carry their unit. */
export interface Config {
  readonly http: {
    readonly host: string;
    readonly port: number;
    readonly publicUrl: string | undefined;
    readonly trustProxy: readonly string[];
    /** Origins whose pages may call the API. */
    readonly corsOrigins: readonly string[];
  };
  readonly engines: EngineSettings;
  /** Undefined: the local model. */
  readonly embedding: EmbeddingSettings | undefined;
  /** The model that embeds in the process: a built-in one by its id, or the path of a model file. */
  readonly localModel: string;
  /** Undefined: answers quote what was found. */
  readonly chat: ChatSettings | undefined;
  /** Undefined: nobody signs in by an OpenID Connect provider. */
  readonly identity: IdentitySettings | undefined;
  /** Absolute path. */
  readonly dataDir: string;
  readonly bootstrapApiKey: string | undefined;
  readonly masterKey: Uint8Array | undefined;
  readonly people: {
    /** The first signs, all are believed; none: one is made in the data folder, if that has one owner. */
    readonly jwtSecrets: readonly string[];
    readonly allowRegistration: boolean;
  };
  readonly github: {
    readonly token: string | undefined;
    readonly gitUrl: string;
    /** Whose sources are fetched with the token. */
    readonly tokenTenants: readonly string[];
  };
  readonly git: {
    /** What runs on hosts of the operator's own, by host name. */
    readonly hostKinds: Readonly<Record<string, GitHostKind>>;
    /** The host keys that ssh takes; undefined: those that hosts showed first. */
    readonly knownHosts: string | undefined;
  };
  readonly network: {
    readonly allowPrivateNetworks: boolean;
    /** Folders that `file://` sources may lie in or below, none for no such sources, and the one they never lie in. */
    readonly fileUrls: { readonly below: readonly string[]; readonly except: string };
  };
  readonly limits: {
    readonly retentionGenerations: number;
    readonly maxSourceBytes: number;
    readonly maxFileBytes: number;
    readonly maxSourceFiles: number;
    readonly maxChunksPerSource: number;
    /** Of a PDF, uploaded or fetched. */
    readonly maxUploadBytes: number;
  };
  /** What reading one PDF may take. */
  readonly pdf: { readonly maxPages: number; readonly maxSeconds: number; readonly maxMemory: number };
  /** How documentation sites are read. */
  readonly crawl: {
    readonly concurrency: number;
    readonly delayMs: number;
    readonly maxPages: number;
    readonly userAgent: string;
  };
  readonly packages: PackageSettings;
  readonly jobs: {
    readonly maxRetries: number;
    readonly leaseSeconds: number;
    readonly stageTimeoutSeconds: number;
    /** Places of each stage in a process. */
    readonly stageConcurrency: number;
    /** Of them, those that one tenant may hold. */
    readonly stagePlacesPerTenant: number;
    /** A transfer that stays under the bytes a second for so many seconds is ended. */
    readonly slowTransfer: { readonly bytesPerSecond: number; readonly seconds: number };
  };
  /** Packages that are searched on demand. */
  readonly packageSearch: {
    /** How long a search waits for its package. */
    readonly searchSeconds: number;
    /** How long the latest version is taken to be that. */
    readonly latestSeconds: number;
    /** What is kept of packages that nobody links. */
    readonly cache: { readonly chunks: number; readonly days: number };
    /** Of one tenant. */
    readonly maxLinks: number;
    /** Of one address. */
    readonly catalogueRequestsPerMinute: number;
  };
  /** How long an answer waits for packages that its question mentions. */
  readonly chatPackageSeconds: number;
  /** Whether the service's own documentation is indexed. */
  readonly serviceDocs: boolean;
  readonly quota: { readonly plans: Readonly<Record<string, QuotaPlan>>; readonly defaultPlan: string };
  /** Requests a minute by one address; 0: no limit. */
  readonly rateLimits: { readonly address: number; readonly failedAuth: number };
  /** What one tenant may take of a process at once. */
  readonly fairness: {
    readonly searchesPerTenant: number;
    readonly streamsPerTenant: number;
    readonly streamsInAll: number;
  };
  /** How long a start waits for servers that are away; 0 for not at all. */
  readonly startTimeoutSeconds: number;
  readonly shutdownDelaySeconds: number;
  readonly workerThreads: number;
  /** Threads that search the embedded index; at least 1. */
  readonly searchThreads: number;
  readonly logLevel: string;
}

/**
 * Reads the configuration from `environment` and the `.env` file in `folder`; the environment wins.
 * An empty value counts as unset.
 * @throws ConfigError on the first bad value.
 */
export function loadConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  folder: string = process.cwd(),
): Config {
  const values = readValues({ ...readDotEnv(folder), ...withoutEmpty(environment) });
  const engines = engineSettings(values);
  if (engines.postgres && !values.MASTER_KEY) {
    throw new ConfigError(
      'MASTER_KEY is unset, but DATABASE_URL needs it: the key ring is shared by several processes.',
    );
  }
  const dataDir = resolve(folder, values.DATA_DIR);
  return deepFreeze({
    http: {
      host: values.HOST,
      port: values.PORT,
      publicUrl: values.PUBLIC_URL,
      trustProxy: values.TRUST_PROXY ?? [],
      corsOrigins: values.CORS_ORIGINS ?? [],
    },
    engines,
    embedding: embeddingSettings(values),
    localModel: values.EMBEDDING_LOCAL_MODEL,
    chat: chatSettings(values),
    identity: identitySettings(values, values.PUBLIC_URL),
    dataDir,
    bootstrapApiKey: values.BOOTSTRAP_API_KEY,
    masterKey: values.MASTER_KEY,
    people: {
      jwtSecrets: values.JWT_SECRET ?? [],
      allowRegistration: values.ALLOW_REGISTRATION ?? isSoleProcess(engines),
    },
    github: {
      token: values.GITHUB_TOKEN,
      gitUrl: values.GITHUB_GIT_URL,
      tokenTenants: values.GITHUB_TOKEN_TENANTS ?? (isSoleProcess(engines) ? [FIRST_TENANT_ID] : []),
    },
    git: { hostKinds: values.GIT_HOST_KINDS ?? {}, knownHosts: values.GIT_KNOWN_HOSTS },
    network: {
      allowPrivateNetworks: values.ALLOW_PRIVATE_NETWORKS,
      fileUrls: { below: values.ALLOW_FILE_URLS, except: dataDir },
    },
    limits: {
      retentionGenerations: values.RETENTION_GENERATIONS,
      maxSourceBytes: values.MAX_SOURCE_BYTES,
      maxFileBytes: values.MAX_FILE_BYTES,
      maxSourceFiles: values.MAX_SOURCE_FILES,
      maxChunksPerSource: values.MAX_CHUNKS_PER_SOURCE,
      maxUploadBytes: values.MAX_UPLOAD_BYTES,
    },
    crawl: {
      concurrency: values.CRAWL_CONCURRENCY,
      delayMs: values.CRAWL_DELAY_MS,
      maxPages: values.CRAWL_MAX_PAGES,
      userAgent: values.CRAWL_USER_AGENT,
    },
    packages: packageSettings(values),
    pdf: { maxPages: values.PDF_MAX_PAGES, maxSeconds: values.PDF_MAX_SECONDS, maxMemory: values.PDF_MAX_MEMORY },
    jobs: {
      maxRetries: values.JOB_MAX_RETRIES,
      leaseSeconds: values.JOB_LEASE_SECONDS,
      stageTimeoutSeconds: values.STAGE_TIMEOUT_SECONDS,
      stageConcurrency: values.STAGE_CONCURRENCY,
      stagePlacesPerTenant: values.STAGE_PLACES_PER_TENANT || Math.max(1, Math.floor(values.STAGE_CONCURRENCY / 2)),
      slowTransfer: { bytesPerSecond: values.FETCH_MIN_BYTES_PER_SECOND, seconds: values.FETCH_SLOW_SECONDS },
    },
    packageSearch: {
      searchSeconds: values.PACKAGE_SEARCH_SECONDS,
      latestSeconds: values.PACKAGE_LATEST_SECONDS,
      cache: { chunks: values.PACKAGE_CACHE_CHUNKS, days: values.PACKAGE_CACHE_DAYS },
      maxLinks: values.PACKAGE_MAX_LINKS,
      catalogueRequestsPerMinute: values.CATALOGUE_REQUESTS_PER_MINUTE,
    },
    chatPackageSeconds: values.CHAT_PACKAGE_SECONDS,
    serviceDocs: values.SERVICE_DOCS,
    quota: { plans: values.QUOTA_PLANS, defaultPlan: defaultPlan(values) },
    rateLimits: { address: values.RATE_LIMIT_ADDRESS, failedAuth: values.RATE_LIMIT_FAILED_AUTH },
    fairness: {
      searchesPerTenant: values.SEARCHES_PER_TENANT,
      streamsPerTenant: values.STREAMS_PER_TENANT,
      streamsInAll: values.STREAMS_IN_ALL,
    },
    startTimeoutSeconds: values.START_TIMEOUT_SECONDS,
    shutdownDelaySeconds: values.SHUTDOWN_DELAY_SECONDS,
    workerThreads: values.WORKER_THREADS || availableParallelism(),
    searchThreads: values.SEARCH_THREADS || Math.min(4, Math.max(1, availableParallelism() - 1)),
    logLevel: values.LOG_LEVEL,
  });
}

function defaultPlan({ DEFAULT_PLAN: name, QUOTA_PLANS: plans }: Values): string {
  if (Object.hasOwn(plans, name)) return name;
  throw new ConfigError(
    `DEFAULT_PLAN is ${JSON.stringify(name)}, but it takes one of ${Object.keys(plans).join(', ')}.`,
  );
}

/** An embedded engine is open in one process alone. */
function isSoleProcess(engines: EngineSettings): boolean {
  return Object.values(engines).some((engine) => engine === undefined);
}

function readValues(environment: Readonly<Record<string, string | undefined>>): Values {
  const entries = Object.entries<Variable<unknown>>(VARIABLES).map(([name, variable]) => {
    const given = environment[name] ?? variable.fallback;
    return [name, given === undefined ? undefined : parse(name, variable, given)];
  });
  return Object.fromEntries(entries) as Values;
}

function parse(name: string, variable: Variable<unknown>, given: string): unknown {
  try {
    return variable.parse(given);
  } catch (error) {
    if (!isTakes(error)) throw error;
    const got = variable.secret ? 'a value that does not fit' : JSON.stringify(given);
    throw new ConfigError(`${name} is ${got}, but it takes ${error.message}.`);
  }
}

function readDotEnv(folder: string): Readonly<Record<string, string | undefined>> {
  try {
    return withoutEmpty(parseEnv(readFileSync(resolve(folder, '.env'), 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new ConfigError(`The file .env cannot be read: ${(error as Error).message}`);
  }
}

function withoutEmpty(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
}

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) {
    if (typeof part === 'object' && part !== null && !ArrayBuffer.isView(part)) deepFreeze(part as object);
  }
  return Object.freeze(value);
}
