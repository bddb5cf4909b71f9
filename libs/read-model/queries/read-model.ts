import type { DataSource, EntityManager } from 'typeorm';

import type { Position } from '#contracts';
import { backOffMs } from '#platform';

import { onEngine } from '../data-source/engine-errors.js';
import type { ProgressSignals } from '../progress/progress-signals.js';
import { ProjectionProgress } from '../progress/projection-progress.js';
import type { ProjectionName } from '../tables/tables.js';
import { acrossTenants, withTenant } from '../transactions/transactions.js';
import { isEmbedded, rewriteTables } from '../vacuum/rewrite-tables.js';
import { tableNames, type TableSize, tableSize } from '../vacuum/table-sizes.js';
import { liveVersion } from '../versions/live-version.js';

/** The rows that an in-memory projection starts from. */
export interface AsOf<Rows> {
  readonly rows: Rows;
  /** The rows contain everything up to this position; null before the first event. */
  readonly position: Position | null;
}

/** Pauses between reads of a position that another process advances, without signals. */
const POLLING = { firstMs: 5, longestMs: 25 };
/** The same with signals, in case one is lost. */
const SIGNALED = { firstMs: 40, longestMs: 250 };

/**
 * Access to the read models. `ask` runs under row-level security of its tenant; `asOf` is for the
 * in-memory projections of every process. Both fail with `engine_unavailable` when the engine is
 * unavailable.
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

  /** Runs a query of one tenant (`queries/*.query.ts`). */
  ask<Arguments extends readonly unknown[], Answer>(
    query: (manager: EntityManager, tenantId: string, ...rest: Arguments) => Promise<Answer>,
    tenantId: string,
    ...rest: Arguments
  ): Promise<Answer> {
    return onEngine(() =>
      withTenant(this.dataSource, tenantId, (manager) => query(manager, tenantId, ...rest)),
    );
  }

  /** Runs a query across all tenants, together with the position of its projection. */
  asOf<Rows>(
    name: ProjectionName,
    query: (manager: EntityManager) => Promise<Rows>,
  ): Promise<AsOf<Rows>> {
    return onEngine(() =>
      acrossTenants(this.dataSource, async (manager) => ({
        rows: await query(manager),
        position: (await liveVersion(manager, name))?.position ?? null,
      })),
    );
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
    const pauses = signals?.live ? SIGNALED : POLLING;
    const first = Math.min(pauses.firstMs, timeoutMs);
    if (signals?.live && (await progress.wait(name, position, first))) return true;
    for (let attempt = 1; ; attempt += 1) {
      const reached = await this.positionOf(name);
      if (reached !== null && reached >= position) return true;
      const left = deadline - performance.now();
      if (left <= 0) return false;
      const pause = Math.min(backOffMs(pauses, attempt), left);
      if (await progress.wait(name, position, pause)) return true;
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
}
