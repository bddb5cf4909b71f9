import type { Registry } from 'prom-client';

import type { EventStore } from '#event-store';
import type { PackageRegistry } from '#ingest';
import type { ChatModel, Embedder, SentenceEncoder } from '#models';
import type {
  BlobStore,
  Clock,
  Config,
  HealthCheck,
  KeyRing,
  Logger,
  RateLimiter,
  Tracer,
} from '#platform';
import { type ProjectionName, READ_TABLES, type ReadModel } from '#read-model';
import type { SearchIndex } from '#search-index';

import type { McpServers } from './mcp-servers.port.js';

/** The engines of the API. Each is a port; the composing process selects its adapter. */
export interface ApiDependencies {
  readonly eventStore: EventStore;
  readonly readModel: ApiReadModel;
  readonly searchIndex: SearchIndex;
  readonly blobs: BlobStore;
  readonly embedder: Embedder;
  readonly chatModel: ChatModel;
  /** Default: none. */
  readonly sentenceEncoder?: SentenceEncoder | null;
  readonly keyRing: KeyRing;
  /** Default: the configured registries. */
  readonly packageRegistry?: PackageRegistry;
  readonly rateLimiter: RateLimiter;
  /** Default: servers with the tools of Footnote. */
  readonly mcpServers?: McpServers;
  readonly clock: Clock;
  readonly config: Config;
  readonly logger: Logger;
  /** Default: nothing is traced. */
  readonly tracer?: Tracer;
  /** Default: the API is alone in its process. */
  readonly processPart?: ProcessPart;
}

/** Another part of the process of the API. Strangers see its state, so it names nobody. */
export interface ProcessPart {
  /** Returns checks for `GET /health/ready`, from memory. */
  readonly checks: () => readonly HealthCheck[];
  /** Adds metrics to the registry behind `GET /metrics`. */
  readonly registerMetrics: (registry: Registry) => void;
}

/** The part of the read models that the API uses: queries, and waiting for a projection. */
export type ApiReadModel = Pick<
  ReadModel,
  'ask' | 'asOf' | 'waitFor' | 'positionOf' | 'onProgress'
>;

/** Projections that no request waits for: no command of the API changes them. */
const NEVER_AWAITED: ReadonlySet<ProjectionName> = new Set(['tenants', 'generations']);

/** Projections that a request may wait for: those of all other read models. */
export const PROJECTIONS: readonly ProjectionName[] = (
  Object.keys(READ_TABLES) as ProjectionName[]
).filter((name) => !NEVER_AWAITED.has(name));

/** Injection tokens of what has no token of its own. */
export const READ_MODEL = Symbol('ApiReadModel');
export const CONFIG = Symbol('Config');
export const PACKAGE_REGISTRY = Symbol('PackageRegistry');
export const RATE_LIMITER = Symbol('RateLimiter');
export const MCP_SERVERS = Symbol('McpServers');
export const PROCESS_PART = Symbol('ProcessPart');
