import type { DataSource, EntityManager } from 'typeorm';

import type { Position } from '#contracts';
import type { JobView, KeyView, SourceView } from '#contracts/http/index';

import type { ProgressSignals } from '../progress/progress-signals.js';
import { ProjectionProgress } from '../progress/projection-progress.js';
import type { ProjectionName } from '../tables/tables.js';
import { acrossTenants, withTenant } from '../transactions/transactions.js';
import { isEmbedded, rewriteTables } from '../vacuum/rewrite-tables.js';
import { tableNames, type TableSize, tableSize } from '../vacuum/table-sizes.js';
import { liveVersion } from '../versions/live-version.js';
import { type ActiveApiKey, activeApiKeys, listApiKeys } from './api-keys.query.js';
import { contentGaps, type ContentGapView } from './content-gaps.query.js';
import { onEngine } from './engine-errors.js';
import { getJob, type ListJobs, listJobs } from './jobs.query.js';
import { type LiveSourceRow, liveSources } from './live-sources.query.js';
import { liveSourcesAt, type LiveSourceThen } from './live-sources-at.query.js';
import { type KnownLink, knownLinks } from './package-links.query.js';
import { type HeldPackage, heldPackages } from './packages.query.js';
import { type ChangedPolicy, getPolicy, policies, type TenantPolicy } from './policy.query.js';
import { type PushHookRow, pushHooks } from './push-hooks.query.js';
import { type RegisteredSourceRow, registeredSources } from './registered-sources.query.js';
import { getSource, type ListSources, listSources } from './sources.query.js';
import { getTenant, tenants, type TenantView } from './tenants.query.js';
import { type MemberOfTenant, membersOfTenants } from './users.query.js';

/**
 * The start of an in-memory projection: its rows, and the position up to which they are complete
 * (null: before the first event).
 */
export interface AsOf {
  readonly position: Position | null;
}

/**
 * Pauses of a caller that waits for a projection of another process, milliseconds: without signals,
 * and in case one is lost.
 */
const POLLING = { first: 5, longest: 25 };
const SIGNALLED = { first: 40, longest: 250 };

/**
 * The queries of the read models. Queries of a tenant run under row-level security of that tenant;
 * those with a position are for the in-memory projections of every process. All fail with
 * `engine_unavailable` if the engine is unreachable.
 */
export class ReadModel {
  constructor(
    readonly dataSource: DataSource,
    /**
     * Progress reported by a projector of the same process, or by signals of others; without
     * either, waiting polls.
     */
    readonly progress: ProjectionProgress = new ProjectionProgress(),
    private readonly signals?: ProgressSignals,
  ) {}

  listSources(
    tenantId: string,
    query: ListSources,
  ): Promise<{ sources: SourceView[]; total: number }> {
    return this.tenant(tenantId, (manager) => listSources(manager, tenantId, query));
  }

  getSource(tenantId: string, sourceId: string): Promise<SourceView | null> {
    return this.tenant(tenantId, (manager) => getSource(manager, tenantId, sourceId));
  }

  listJobs(tenantId: string, query: ListJobs): Promise<{ jobs: JobView[]; total: number }> {
    return this.tenant(tenantId, (manager) => listJobs(manager, tenantId, query));
  }

  getJob(tenantId: string, jobId: string): Promise<JobView | null> {
    return this.tenant(tenantId, (manager) => getJob(manager, tenantId, jobId));
  }

  listApiKeys(tenantId: string): Promise<KeyView[]> {
    return this.tenant(tenantId, (manager) => listApiKeys(manager, tenantId));
  }

  /**
   * Returns the policy; the defaults if the tenant never changed it.
   * @throws FootnoteError `not_found` for a tenant that does not exist.
   */
  getPolicy(tenantId: string): Promise<TenantPolicy> {
    return this.tenant(tenantId, (manager) => getPolicy(manager, tenantId));
  }

  getTenant(tenantId: string): Promise<TenantView | null> {
    return this.tenant(tenantId, (manager) => getTenant(manager, tenantId));
  }

  /**
   * Runs any other query of one tenant (`queries/*.query.ts`), so that a new query needs no method
   * here.
   */
  ask<Arguments extends readonly unknown[], Answer>(
    query: (manager: EntityManager, tenantId: string, ...rest: Arguments) => Promise<Answer>,
    tenantId: string,
    ...rest: Arguments
  ): Promise<Answer> {
    return this.tenant(tenantId, (manager) => query(manager, tenantId, ...rest));
  }

  /**
   * Returns what searches of a tenant saw at a position of the log that `source_history` has
   * reached.
   */
  liveSourcesAt(tenantId: string, position: Position): Promise<LiveSourceThen[]> {
    return this.tenant(tenantId, (manager) => liveSourcesAt(manager, tenantId, position));
  }

  activeApiKeys(): Promise<{ readonly keys: readonly ActiveApiKey[] } & AsOf> {
    return this.asOf('api_keys', async (manager) => ({ keys: await activeApiKeys(manager) }));
  }

  /** Returns the people of all tenants. */
  members(): Promise<{ readonly members: readonly MemberOfTenant[] } & AsOf> {
    return this.asOf('users', async (manager) => ({ members: await membersOfTenants(manager) }));
  }

  /** Returns the policies of tenants that changed theirs; the others have the defaults. */
  policies(): Promise<{ readonly policies: readonly ChangedPolicy[] } & AsOf> {
    return this.asOf('policies', async (manager) => ({ policies: await policies(manager) }));
  }

  liveSources(): Promise<{ readonly sources: readonly LiveSourceRow[] } & AsOf> {
    return this.asOf('sources', async (manager) => ({ sources: await liveSources(manager) }));
  }

  /** Returns every package, of every owner, whose content a source holds. */
  heldPackages(): Promise<{ readonly packages: readonly HeldPackage[] } & AsOf> {
    return this.asOf('packages', async (manager) => ({ packages: await heldPackages(manager) }));
  }

  /**
   * Returns every link of every tenant that is not removed, and the position of each tenant's last
   * change of links.
   */
  packageLinks(): Promise<{ readonly links: readonly KnownLink[] } & AsOf> {
    return this.asOf('package_links', async (manager) => ({ links: await knownLinks(manager) }));
  }

  registeredSources(): Promise<{ readonly sources: readonly RegisteredSourceRow[] } & AsOf> {
    return this.asOf('sources', async (manager) => ({ sources: await registeredSources(manager) }));
  }

  /** Returns the push hook of every source of every tenant that accepts pushes. */
  pushHooks(): Promise<{ readonly hooks: readonly PushHookRow[] } & AsOf> {
    return this.asOf('sources', async (manager) => ({ hooks: await pushHooks(manager) }));
  }

  /** Returns every generation of every tenant with missing content. */
  contentGaps(): Promise<readonly ContentGapView[]> {
    return onEngine(() => acrossTenants(this.dataSource, (manager) => contentGaps(manager)));
  }

  tenants(): Promise<{ readonly tenants: readonly TenantView[] } & AsOf> {
    return this.asOf('tenants', async (manager) => ({ tenants: await tenants(manager) }));
  }

  /**
   * Returns the position that the live version of a projection has reached; null before its first
   * batch.
   */
  positionOf(name: ProjectionName): Promise<Position | null> {
    return onEngine(() =>
      acrossTenants(
        this.dataSource,
        async (manager) => (await liveVersion(manager, name))?.position ?? null,
      ),
    );
  }

  /**
   * Waits until a projection has applied everything up to `position`. The position should be of an
   * event that it handles; other events advance it only occasionally.
   * @returns false after `timeoutMs`.
   */
  async waitFor(name: ProjectionName, position: Position, timeoutMs: number): Promise<boolean> {
    const { progress, signals } = this;
    if (progress.isLocal) return progress.wait(name, position, timeoutMs);
    signals?.start();
    const deadline = performance.now() + timeoutMs;
    // With signals, earlier progress is known. Without, the position may have been reached before
    // anybody listened.
    const pauses = signals?.live ? SIGNALLED : POLLING;
    let pause = pauses.first;
    if (signals?.live && (await progress.wait(name, position, Math.min(pause, timeoutMs))))
      return true;
    for (;;) {
      const reached = await this.positionOf(name);
      if (reached !== null && reached >= position) return true;
      const left = deadline - performance.now();
      if (left <= 0) return false;
      if (await progress.wait(name, position, Math.min(pause, left))) return true;
      pause = Math.min(2 * pause, pauses.longest);
    }
  }

  /**
   * Calls back whenever a projection may have committed something, in this process or, while
   * signals arrive, in another.
   * @returns a function that stops the calls.
   */
  onProgress(name: ProjectionName, listener: () => void): () => void {
    if (!this.progress.isLocal) this.signals?.start();
    return this.progress.onReport(name, listener);
  }

  /**
   * Removes deleted and replaced data from the embedded files; the last step of an erasure. Takes
   * as long as copying the tables. On a server, autovacuum does that work at its own time.
   * @returns whether the files were rewritten.
   */
  async vacuum(): Promise<boolean> {
    if (!isEmbedded(this.dataSource)) return false;
    await onEngine(() => rewriteTables(this.dataSource));
    return true;
  }

  /** Returns the sizes of all tables. Reads every row, one table after the other. */
  async tableSizes(): Promise<readonly TableSize[]> {
    const across = <T>(work: (manager: EntityManager) => Promise<T>) =>
      onEngine(() => acrossTenants(this.dataSource, work));
    const sizes: TableSize[] = [];
    for (const table of await across(tableNames))
      sizes.push(await across((manager) => tableSize(manager, table)));
    return sizes;
  }

  private tenant<T>(tenantId: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return onEngine(() => withTenant(this.dataSource, tenantId, work));
  }

  private asOf<T>(
    name: ProjectionName,
    query: (manager: EntityManager) => Promise<T>,
  ): Promise<T & AsOf> {
    return onEngine(() =>
      acrossTenants(this.dataSource, async (manager) => {
        const rows = await query(manager);
        return { ...rows, position: (await liveVersion(manager, name))?.position ?? null };
      }),
    );
  }
}
