import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';

import type { GitHostKind, QuotaPlan, RoverBudget, RoverMode } from '#contracts';

import { FIRST_TENANT_ID } from '../ids/ids.js';
import { type AuditSettings, auditSettings } from './audit-settings.js';
import { type ChatSettings, chatSettings } from './chat-settings.js';
import { ConfigError } from './config-error.js';
import { type EmbeddingSettings, embeddingSettings } from './embedding-settings.js';
import { type EngineSettings, engineSettings } from './engine-settings.js';
import { type IdentitySettings, identitySettings } from './identity-settings.js';
import { type PackageSettings, packageSettings } from './package-settings.js';
import { isInvalidValue } from './parsers.js';
import { type RerankSettings, rerankSettings } from './rerank-settings.js';
import { type SettingDigests, settingDigests } from './setting-digests.js';
import { type TracingSettings, tracingSettings } from './tracing-settings.js';
import type { Variable } from './variable.js';
import { type VariableName, VARIABLES } from './variables.js';

type Values = { readonly [Name in VariableName]: ReturnType<(typeof VARIABLES)[Name]['parse']> };

/** The configuration of the service, read once at start and frozen. Sizes are in bytes. */
export interface Config {
  readonly http: {
    readonly host: string;
    readonly port: number;
    readonly publicUrl: string | undefined;
    readonly trustProxy: readonly string[];
    /** Origins whose pages may call the API. */
    readonly corsOrigins: readonly string[];
    /** True if the API serves the page for people. */
    readonly webUi: boolean;
  };
  readonly engines: EngineSettings;
  /** Undefined: the local model is used. */
  readonly embedding: EmbeddingSettings | undefined;
  /** Undefined: results are not reranked. */
  readonly rerank: RerankSettings | undefined;
  /** The local model: the ID of a built-in one, or the path of a model file. */
  readonly localModel: string;
  /** Undefined: answers quote the passages found. */
  readonly chat: ChatSettings | undefined;
  /** Undefined: sign-in with OpenID Connect is off. */
  readonly identity: IdentitySettings | undefined;
  /** Absolute path. */
  readonly dataDir: string;
  readonly bootstrapApiKey: string | undefined;
  readonly masterKey: Uint8Array | undefined;
  readonly people: {
    /**
     * The first signs, all are accepted; empty: a secret is created in a data folder with one
     * owner.
     */
    readonly jwtSecrets: readonly string[];
    readonly allowRegistration: boolean;
  };
  readonly github: {
    readonly token: string | undefined;
    readonly gitUrl: string;
    readonly apiUrl: string;
    /** Tenants whose sources are fetched with the token. */
    readonly tokenTenants: readonly string[];
  };
  readonly git: {
    /** Kinds of the operator's own git hosts, by host name. */
    readonly hostKinds: Readonly<Record<string, GitHostKind>>;
    /** File of trusted SSH host keys; undefined: the first key of each host is trusted. */
    readonly knownHosts: string | undefined;
  };
  readonly network: {
    readonly allowPrivateNetworks: boolean;
    /**
     * Folders that may contain `file://` sources (empty: none are allowed), and the excluded
     * folder.
     */
    readonly fileUrls: { readonly below: readonly string[]; readonly except: string };
  };
  readonly limits: {
    readonly retentionGenerations: number;
    readonly maxSourceBytes: number;
    readonly maxFileBytes: number;
    readonly maxSourceFiles: number;
    readonly maxChunksPerSource: number;
    /** Maximum bytes of a PDF, uploaded or fetched. */
    readonly maxUploadBytes: number;
  };
  /** Limits for reading one PDF. */
  readonly pdf: {
    readonly maxPages: number;
    readonly maxSeconds: number;
    readonly maxMemory: number;
  };
  /** Settings for crawling documentation sites. */
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
    /** Concurrent attempts of each stage in a process. */
    readonly stageConcurrency: number;
    /** Concurrent attempts of each stage for one tenant. */
    readonly stagePlacesPerTenant: number;
    /** A transfer that stays slower for this many seconds is aborted. */
    readonly slowTransfer: { readonly bytesPerSecond: number; readonly seconds: number };
  };
  /** Package search on demand. */
  readonly packageSearch: {
    /** Maximum wait of a search for its package. */
    readonly searchSeconds: number;
    /** Cache time of the latest version. */
    readonly latestSeconds: number;
    /** Limits for packages without links. */
    readonly cache: { readonly chunks: number; readonly days: number };
    /** Per tenant. */
    readonly maxLinks: number;
    /** Per address. */
    readonly catalogueRequestsPerMinute: number;
  };
  readonly rover: {
    readonly budgets: Readonly<Record<RoverMode, RoverBudget>>;
    /** Jobs that a pipeline process works on at once. */
    readonly jobs: number;
    /** Limits for the repositories that jobs read. */
    readonly cache: { readonly chunks: number; readonly days: number };
  };
  /** Maximum wait of an answer for the packages that its question mentions. */
  readonly chatPackageSeconds: number;
  /** Whether the documentation of the service is indexed. */
  readonly serviceDocs: boolean;
  readonly quota: {
    readonly plans: Readonly<Record<string, QuotaPlan>>;
    readonly defaultPlan: string;
  };
  readonly audit: AuditSettings;
  /** Webhook endpoints that one tenant may have. */
  readonly webhooks: { readonly perTenant: number };
  /** Requests per minute from one address; 0: no limit. */
  readonly rateLimits: { readonly address: number; readonly failedAuth: number };
  /** The share of a process that one tenant may use at once. */
  readonly fairness: {
    readonly searchesPerTenant: number;
    readonly streamsPerTenant: number;
    readonly streamsInAll: number;
  };
  /** Maximum wait of a start for unavailable servers; 0: no wait. */
  readonly startTimeoutSeconds: number;
  readonly shutdownDelaySeconds: number;
  readonly workerThreads: number;
  /** Threads that search the embedded index; at least 1. */
  readonly searchThreads: number;
  /** Further ones for an index of 200,000 chunks and more. */
  readonly spareSearchThreads: number;
  readonly logLevel: string;
  /** Undefined: no traces are recorded. */
  readonly tracing: TracingSettings | undefined;
  /** Digests of all values in effect, for the trail of the operator. */
  readonly settings: SettingDigests;
}

/**
 * Reads the configuration from `environment` and the `.env` file in `folder`; `environment` takes
 * precedence. An empty value counts as unset.
 * @throws ConfigError on the first invalid value.
 */
export function loadConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  folder: string = process.cwd(),
): Config {
  const given = { ...readDotEnv(folder), ...withoutEmpty(environment) };
  const values = readValues(given);
  const engines = engineSettings(values);
  if (engines.postgres && !values.MASTER_KEY) {
    throw new ConfigError(
      'MASTER_KEY is required when DATABASE_URL is set, because several processes share the key ring',
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
      webUi: values.WEB_UI,
    },
    engines,
    embedding: embeddingSettings(values),
    rerank: rerankSettings(values),
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
      apiUrl: values.GITHUB_API_URL,
      tokenTenants:
        values.GITHUB_TOKEN_TENANTS ?? (isSoleProcess(engines) ? [FIRST_TENANT_ID] : []),
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
    pdf: {
      maxPages: values.PDF_MAX_PAGES,
      maxSeconds: values.PDF_MAX_SECONDS,
      maxMemory: values.PDF_MAX_MEMORY,
    },
    jobs: {
      maxRetries: values.JOB_MAX_RETRIES,
      leaseSeconds: values.JOB_LEASE_SECONDS,
      stageTimeoutSeconds: values.STAGE_TIMEOUT_SECONDS,
      stageConcurrency: values.STAGE_CONCURRENCY,
      stagePlacesPerTenant:
        values.STAGE_PLACES_PER_TENANT || Math.max(1, Math.floor(values.STAGE_CONCURRENCY / 2)),
      slowTransfer: {
        bytesPerSecond: values.FETCH_MIN_BYTES_PER_SECOND,
        seconds: values.FETCH_SLOW_SECONDS,
      },
    },
    packageSearch: {
      searchSeconds: values.PACKAGE_SEARCH_SECONDS,
      latestSeconds: values.PACKAGE_LATEST_SECONDS,
      cache: { chunks: values.PACKAGE_CACHE_CHUNKS, days: values.PACKAGE_CACHE_DAYS },
      maxLinks: values.PACKAGE_MAX_LINKS,
      catalogueRequestsPerMinute: values.CATALOGUE_REQUESTS_PER_MINUTE,
    },
    rover: {
      budgets: { fast: values.ROVER_FAST, deep: values.ROVER_DEEP },
      jobs: values.ROVER_JOBS,
      cache: { chunks: values.ROVER_CACHE_CHUNKS, days: values.ROVER_CACHE_DAYS },
    },
    chatPackageSeconds: values.CHAT_PACKAGE_SECONDS,
    serviceDocs: values.SERVICE_DOCS,
    quota: { plans: values.QUOTA_PLANS, defaultPlan: defaultPlan(values) },
    audit: auditSettings(values),
    webhooks: { perTenant: values.WEBHOOKS_PER_TENANT },
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
    spareSearchThreads: values.SEARCH_THREADS === 0 && availableParallelism() === 2 ? 1 : 0,
    logLevel: values.LOG_LEVEL,
    tracing: tracingSettings(values),
    settings: settingDigests(given),
  });
}

function defaultPlan({ DEFAULT_PLAN: name, QUOTA_PLANS: plans }: Values): string {
  if (Object.hasOwn(plans, name)) return name;
  throw new ConfigError(
    `DEFAULT_PLAN must be one of ${Object.keys(plans).join(', ')} (got ${JSON.stringify(name)})`,
  );
}

/** Returns true if an engine is embedded: only one process can open it. */
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
    if (!isInvalidValue(error)) throw error;
    const got = variable.secret ? 'the given value is not shown' : `got ${JSON.stringify(given)}`;
    throw new ConfigError(`${name} must be ${error.message} (${got})`);
  }
}

function readDotEnv(folder: string): Readonly<Record<string, string | undefined>> {
  try {
    return withoutEmpty(parseEnv(readFileSync(resolve(folder, '.env'), 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new ConfigError(`.env cannot be read: ${(error as Error).message}`);
  }
}

function withoutEmpty(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
    ),
  );
}

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) {
    if (typeof part === 'object' && part !== null && !ArrayBuffer.isView(part))
      deepFreeze(part as object);
  }
  return Object.freeze(value);
}
