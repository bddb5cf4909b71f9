import type { DocsFormat, PolicySettings, Position, PriorityKind, Scope, SourceType } from '#contracts';
import type { JobStatus, JobView, KeyView, SourceStatus, SourceView } from '#contracts/http/index';
import type { EventStore } from '#event-store';
import type { Embedder } from '#models';
import type { Clock, Config, KeyRing, Logger } from '#platform';
import type { SearchIndex } from '#search-index';

/** What the API works on. Each engine is a port; the composing process decides which adapter stands behind it. */
export interface ApiEngines {
  readonly eventStore: EventStore;
  readonly readModel: ApiReadModel;
  readonly searchIndex: SearchIndex;
  readonly embedder: Embedder;
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly config: Config;
  readonly logger: Logger;
}

export interface Page {
  readonly skip: number;
  readonly limit: number;
}

/** A key as authentication needs it. */
export interface ActiveApiKey {
  readonly tenant_id: string;
  readonly key_id: string;
  readonly name: string;
  readonly digest: string;
  readonly scopes: readonly Scope[];
  readonly expires_at: string | null;
}

/** A source at its live generation. */
export interface LiveSourceRow {
  readonly tenant_id: string;
  readonly source_id: string;
  readonly name: string;
  readonly source_type: SourceType;
  readonly docs_format?: DocsFormat | null;
  readonly generation: number;
  readonly version_ref: string;
  /** When the sync that published it ended. */
  readonly synced_at: string;
}

/** A source as searches saw it at a place in the log. */
export interface PastLiveSource {
  readonly source_id: string;
  readonly name: string;
  readonly kind: PriorityKind;
  readonly generation: number;
  readonly version_ref: string;
  readonly synced_at: string;
  /** Whether the generation is gone by now. */
  readonly dropped: boolean;
}

/** A tenant's policy as stored. */
export interface PolicyRow {
  readonly tenant_id: string;
  readonly settings: PolicySettings;
  readonly created_at: string;
  readonly updated_at: string;
  readonly revision: bigint;
}

/** What one projection is at, for readiness and metrics. */
export interface ProjectionHealth {
  readonly name: string;
  readonly position: Position | null;
  readonly state: string;
  readonly error?: string | undefined;
}

/** The projections that an answer may wait for. */
export const PROJECTIONS = ['sources', 'source_history', 'jobs', 'api_keys', 'policies'] as const;
export type ProjectionName = (typeof PROJECTIONS)[number];

/** The queries this app needs; every one of them is scoped to the tenant it is given. */
export interface ApiReadModel {
  listSources(
    tenantId: string,
    filter: Page & { readonly source_type?: SourceType; readonly status?: SourceStatus },
  ): Promise<{ readonly sources: readonly SourceView[]; readonly total: number }>;
  getSource(tenantId: string, sourceId: string): Promise<SourceView | null>;
  listJobs(
    tenantId: string,
    filter: Page & { readonly source_id?: string; readonly status?: JobStatus },
  ): Promise<{ readonly jobs: readonly JobView[]; readonly total: number }>;
  getJob(tenantId: string, jobId: string): Promise<JobView | null>;
  listApiKeys(tenantId: string): Promise<readonly KeyView[]>;
  /** Defaults, and a null revision, where the tenant never changed it. */
  getPolicy(tenantId: string): Promise<{
    readonly settings: PolicySettings;
    readonly created_at: string;
    readonly updated_at: string;
    readonly revision: bigint | null;
  }>;
  /** What searches of a tenant saw at a place in the log that `source_history` has reached. */
  liveSourcesAt(tenantId: string, position: Position): Promise<readonly PastLiveSource[]>;
  /** Across tenants, for what is kept in memory: the rows and the position they stand at (null: nothing projected yet). */
  activeApiKeys(): Promise<{ readonly keys: readonly ActiveApiKey[]; readonly position: Position | null }>;
  liveSources(): Promise<{ readonly sources: readonly LiveSourceRow[]; readonly position: Position | null }>;
  policies(): Promise<{ readonly policies: readonly PolicyRow[]; readonly position: Position | null }>;
  /** Waits until a projection has reached a position. @returns false on time-out. */
  waitFor(projection: ProjectionName, position: Position, timeoutMs: number): Promise<boolean>;
  positionOf(projection: ProjectionName): Promise<Position | null>;
}

/** Injection tokens of what has no token of its own. */
export const READ_MODEL = Symbol('ApiReadModel');
export const CONFIG = Symbol('Config');
