import type { DataSource, EntityManager } from 'typeorm';

import type { Position } from '#contracts';
import type { JobView, KeyView, SourceView } from '#contracts/http/index';

import { onEngine } from '../data-source/engine-errors.js';
import type { ProgressSignals } from '../progress/progress-signals.js';
import { ProjectionProgress } from '../progress/projection-progress.js';
import type { ProjectionName } from '../tables/tables.js';
import { acrossTenants, withTenant } from '../transactions/transactions.js';
import { isEmbedded, rewriteTables } from '../vacuum/rewrite-tables.js';
import { tableNames, type TableSize, tableSize } from '../vacuum/table-sizes.js';
import { liveVersion } from '../versions/live-version.js';
import { type ActiveApiKey, activeApiKeys, listApiKeys } from './api-keys.query.js';
import { contentGaps, type ContentGapView } from './content-gaps.query.js';
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
 * What an in-memory projection starts from: with its rows, the position up to which they tell
 * everything (null: nothing yet).
 */
export interface AsOf {
  readonly position: Position | null;
}

/**
 * Pauses of who waits for a projection of another process, milliseconds: told by nobody, and in
 * case a signal is lost.
 */
const POLLING = { first: 5, longest: 25 };
const SIGNALLED = { first: 40, longest: 250 };

/**
 * The queries of the read models. Those that take a tenant run under row-level security of that
 * tenant; those with a position are for the in-memory projections of every process. All fail with
 * `engine_unavailable` when the engine is away.
 */
export class ReadModel {
  constructor(
    readonly dataSource: DataSource,
    /**
     * Where a projector of the same process reports, or signals of others arrive; without either,
     * waiting polls.
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
   * The defaults where the tenant never changed it. @throws FootnoteError `not_found` for a tenant
   * that does not exist.
   */
  getPolicy(tenantId: string): Promise<TenantPolicy> {
    return this.tenant(tenantId, (manager) => getPolicy(manager, tenantId));
  }

  getTenant(tenantId: string): Promise<TenantView | null> {
    return this.tenant(tenantId, (manager) => getTenant(manager, tenantId));
  }

  /**
   * Asks any other query of one tenant (`queries/*.query.ts`), so that a new one needs no method
   * here.
   */
  ask<Arguments extends readonly unknown[], Answer>(
    query: (manager: EntityManager, tenantId: string, ...rest: Arguments) => Promise<Answer>,
    tenantId: string,
    ...rest: Arguments
  ): Promise<Answer> {
    return this.tenant(tenantId, (manager) => query(manager, tenantId, ...rest));
  }

  /** What searches of a tenant saw at a position of the log that `source_history` has reached. */
  liveSourcesAt(tenantId: string, position: Position): Promise<LiveSourceThen[]> {
    return this.tenant(tenantId, (manager) => liveSourcesAt(manager, tenantId, position));
  }

  activeApiKeys(): Promise<{ readonly keys: readonly ActiveApiKey[] } & AsOf> {
    return this.asOf('api_keys', async (manager) => ({ keys: await activeApiKeys(manager) }));
  }

  /** The people of all tenants. */
  members(): Promise<{ readonly members: readonly MemberOfTenant[] } & AsOf> {
    return this.asOf('users', async (manager) => ({ members: await membersOfTenants(manager) }));
  }

  /** Of the tenants that ever changed theirs; the others have the defaults. */
  policies(): Promise<{ readonly policies: readonly ChangedPolicy[] } & AsOf> {
    return this.asOf('policies', async (manager) => ({ policies: await policies(manager) }));
  }

  liveSources(): Promise<{ readonly sources: readonly LiveSourceRow[] } & AsOf> {
    return this.asOf('sources', async (manager) => ({ sources: await liveSources(manager) }));
  }

  /** Every package, of every owner, whose content a source holds. */
  heldPackages(): Promise<{ readonly packages: readonly HeldPackage[] } & AsOf> {
    return this.asOf('packages', async (manager) => ({ packages: await heldPackages(manager) }));
  }

  /**
   * Every link of every tenant that is not removed, and for each tenant where its links changed
   * last.
   */
  packageLinks(): Promise<{ readonly links: readonly KnownLink[] } & AsOf> {
    return this.asOf('package_links', async (manager) => ({ links: await knownLinks(manager) }));
  }

  registeredSources(): Promise<{ readonly sources: readonly RegisteredSourceRow[] } & AsOf> {
    return this.asOf('sources', async (manager) => ({ sources: await registeredSources(manager) }));
  }

  /** The push hook of every source of every tenant that takes pushes. */
  pushHooks(): Promise<{ readonly hooks: readonly PushHookRow[] } & AsOf> {
    return this.asOf('sources', async (manager) => ({ hooks: await pushHooks(manager) }));
  }

  /** Every generation of every tenant of which content is missing. */
  contentGaps(): Promise<readonly ContentGapView[]> {
    return onEngine(() => acrossTenants(this.dataSource, (manager) => contentGaps(manager)));
  }

  tenants(): Promise<{ readonly tenants: readonly TenantView[] } & AsOf> {
    return this.asOf('tenants', async (manager) => ({ tenants: await tenants(manager) }));
  }

  /** How far the live version of a projection has come; null before its first batch. */
  positionOf(name: ProjectionName): Promise<Position | null> {
    return onEngine(() =>
      acrossTenants(
        this.dataSource,
        async (manager) => (await liveVersion(manager, name))?.position ?? null,
      ),
    );
  }

  /**
   * Waits until a projection has taken everything up to `position`. The position should be of an
   * event that it handles: what it does not handle moves it on only now and then. @returns false
   * after `timeoutMs`.
   */
  async waitFor(name: ProjectionName, position: Position, timeoutMs: number): Promise<boolean> {
    const { progress, signals } = this;
    if (progress.isLocal) return progress.wait(name, position, timeoutMs);
    signals?.start();
    const deadline = performance.now() + timeoutMs;
    // What was signalled so far is known; otherwise it may have been reached before anybody
    // listened.
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
   * Calls back whenever a projection may have committed something, in this process or, as far as
   * signals come, in another.
   * @returns a way to stop it.
   */
  onProgress(name: ProjectionName, listener: () => void): () => void {
    if (!this.progress.isLocal) this.signals?.start();
    return this.progress.onReport(name, listener);
  }

  /**
   * Removes from the embedded files what was deleted or replaced: an erasure calls it last. Takes
   * as long as copying the tables. On a server autovacuum does that work, at its own time.
   * @returns whether the files were rewritten.
   */
  async vacuum(): Promise<boolean> {
    if (!isEmbedded(this.dataSource)) return false;
    await onEngine(() => rewriteTables(this.dataSource));
    return true;
  }

  /** Sizes of all tables. Reads every row, one table after the other. */
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
