import type { DataSource, EntityManager } from 'typeorm';

import type { Position } from '#contracts';

import { ProjectionProgress } from '../progress/projection-progress.js';
import type { ProjectionName } from '../tables/tables.js';
import { acrossTenants, withTenant } from '../transactions/transactions.js';
import { liveVersion } from '../versions/live-version.js';
import { activeApiKeys, listApiKeys, type ActiveApiKey, type ApiKeyView } from './api-keys.query.js';
import { onEngine } from './engine-errors.js';
import { getGeneration, type GenerationView } from './generations.query.js';
import { getJob, listJobs, type JobView, type ListJobs } from './jobs.query.js';
import { liveSources, type LiveSourceView } from './live-sources.query.js';
import { getPolicy, policies, type TenantPolicy } from './policy.query.js';
import { getSource, listSources, type ListSources, type SourceView } from './sources.query.js';
import { getTenant, tenants, type TenantView } from './tenants.query.js';

/** What a follower starts from: rows, and the place in the log up to which they tell everything (null: nothing yet). */
export interface Snapshot<T> {
  readonly rows: readonly T[];
  readonly position: Position | null;
}

const POLL_MS = 25;

/**
 * The queries of the read models. Those that take a tenant run under row-level security of that tenant; the snapshots are
 * for the followers that every process keeps in memory. All fail with `engine_unavailable` when the engine is away.
 */
export class ReadModel {
  constructor(
    readonly dataSource: DataSource,
    /** Where a projector of the same process reports; without one, waiting polls. */
    readonly progress: ProjectionProgress = new ProjectionProgress(),
  ) {}

  listSources(tenantId: string, query: ListSources): Promise<{ sources: SourceView[]; total: number }> {
    return this.tenant(tenantId, (manager) => listSources(manager, tenantId, query));
  }

  getSource(tenantId: string, sourceId: string): Promise<SourceView | undefined> {
    return this.tenant(tenantId, (manager) => getSource(manager, tenantId, sourceId));
  }

  listJobs(tenantId: string, query: ListJobs): Promise<{ jobs: JobView[]; total: number }> {
    return this.tenant(tenantId, (manager) => listJobs(manager, tenantId, query));
  }

  getJob(tenantId: string, jobId: string): Promise<JobView | undefined> {
    return this.tenant(tenantId, (manager) => getJob(manager, tenantId, jobId));
  }

  listApiKeys(tenantId: string): Promise<ApiKeyView[]> {
    return this.tenant(tenantId, (manager) => listApiKeys(manager, tenantId));
  }

  getPolicy(tenantId: string): Promise<TenantPolicy | undefined> {
    return this.tenant(tenantId, (manager) => getPolicy(manager, tenantId));
  }

  getTenant(tenantId: string): Promise<TenantView | undefined> {
    return this.tenant(tenantId, (manager) => getTenant(manager, tenantId));
  }

  generation(tenantId: string, sourceId: string, generation: number): Promise<GenerationView | undefined> {
    return this.tenant(tenantId, (manager) => getGeneration(manager, tenantId, sourceId, generation));
  }

  activeApiKeys(): Promise<Snapshot<ActiveApiKey>> {
    return this.snapshot('api_keys', activeApiKeys);
  }

  /** Also of tenants with the defaults. The position is that of the policies; tenants made after it have the defaults. */
  policies(): Promise<Snapshot<TenantPolicy>> {
    return this.snapshot('policies', policies);
  }

  liveSources(): Promise<Snapshot<LiveSourceView>> {
    return this.snapshot('sources', liveSources);
  }

  tenants(): Promise<Snapshot<TenantView>> {
    return this.snapshot('tenants', tenants);
  }

  /** How far the live version of a projection has come; null before its first batch. */
  positionOf(name: ProjectionName): Promise<Position | null> {
    return onEngine(() =>
      acrossTenants(this.dataSource, async (manager) => (await liveVersion(manager, name))?.position ?? null),
    );
  }

  /**
   * Waits until a projection has taken everything up to `position`. The position should be of an event that it handles: what
   * it does not handle moves it on only now and then. @returns false after `timeoutMs`.
   */
  async waitFor(name: ProjectionName, position: Position, timeoutMs: number): Promise<boolean> {
    if (this.progress.isLocal) return this.progress.wait(name, position, timeoutMs);
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const reached = await this.positionOf(name);
      if (reached !== null && reached >= position) return true;
      if (performance.now() >= deadline) return false;
      await this.progress.wait(name, position, Math.min(POLL_MS, timeoutMs));
    }
  }

  private tenant<T>(tenantId: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return onEngine(() => withTenant(this.dataSource, tenantId, work));
  }

  private snapshot<T>(name: ProjectionName, query: (manager: EntityManager) => Promise<T[]>): Promise<Snapshot<T>> {
    return onEngine(() =>
      acrossTenants(this.dataSource, async (manager) => ({
        rows: await query(manager),
        position: (await liveVersion(manager, name))?.position ?? null,
      })),
    );
  }
}
