import { type GenerationsRow, generationsTable } from '#read-model';

import type { ProjectedEvent } from '../runner/projection.js';
import type { DropSet } from './drop-set.js';
import type { GenerationLoader, LoadedIndex } from './generation-loader.js';
import { droppedRow, type GenerationRows } from './generation-rows.js';

/** Identity of the projection; `version` is raised whenever it gives other rows than before. */
export const INDEX_PROJECTION = {
  name: 'generations',
  version: 2,
  table: generationsTable,
  handles: ['JobStaged', 'GenerationDropped', 'SourceRemoved', 'TenantErased'],
} as const;

/**
 * A generation that is loaded within this, milliseconds, has no row before: most are small, and a
 * row is a transaction.
 */
const LOADING_TOLD_MS = 250;

type Handled = ProjectedEvent<(typeof INDEX_PROJECTION.handles)[number]>;

export interface IndexProjectionDependencies {
  readonly searchIndex: LoadedIndex;
  readonly loader: GenerationLoader;
  readonly rows: GenerationRows;
  readonly drops: DropSet;
  readonly signal: AbortSignal;
}

/**
 * Loads staged generations into the search index and removes dropped ones; a row shows the state of
 * each. The index and the rows share no transaction: the index changes first, then the row, the
 * checkpoint last. Every step may be repeated.
 */
export class IndexProjection {
  constructor(private readonly dependencies: IndexProjectionDependencies) {}

  async apply(event: Handled): Promise<void> {
    switch (event.type) {
      case 'JobStaged':
        return this.take(stagedRow(event));
      case 'GenerationDropped': {
        const { source_id, generation } = event.data;
        await this.dependencies.searchIndex.dropGeneration(event.tenant_id, source_id, generation);
        const row = await this.dependencies.rows.get(event.tenant_id, source_id, generation);
        if (row) await this.dependencies.rows.put([droppedRow(row)]);
        return;
      }
      case 'SourceRemoved':
        return this.dropSource(event.tenant_id, event.data.source_id);
      case 'TenantErased':
        return this.dropTenant(event.tenant_id);
    }
  }

  /**
   * Reloads ready generations that the index does not have, because its files are disposable.
   * Retries generations that failed to load, because their content may have been restored.
   */
  async repair(): Promise<void> {
    const loaded = await this.dependencies.searchIndex.generations();
    const has = new Set(
      loaded.map((live) => `${live.tenantId}/${live.sourceId}/${live.generation}`),
    );
    const [ready, failed] = [
      await this.dependencies.rows.ready(),
      await this.dependencies.rows.failed(),
    ];
    const lost = ready.filter(
      (row) => !has.has(`${row.tenant_id}/${row.source_id}/${row.generation}`),
    );
    for (const row of [...lost, ...failed]) await this.load(row);
  }

  private async take(row: GenerationsRow): Promise<void> {
    if (this.isDropped(row)) return this.drop(row);
    let telling = Promise.resolve();
    const timer = setTimeout(() => {
      telling = this.dependencies.rows.put([row]);
      telling.catch(() => undefined);
    }, LOADING_TOLD_MS);
    await this.load(row, () => {
      clearTimeout(timer);
      return telling;
    }).finally(() => clearTimeout(timer));
  }

  /** @param loaded is called and awaited before the row with the outcome is written. */
  private async load(
    row: GenerationsRow,
    loaded: () => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    const outcome = await this.dependencies.loader.load({
      tenantId: row.tenant_id,
      sourceId: row.source_id,
      generation: row.generation,
      manifest: row.manifest,
      chunkCount: row.expected_chunk_count,
      isDropped: () => this.isDropped(row),
      signal: this.dependencies.signal,
    });
    await loaded();
    if (outcome.state === 'dropped') return this.drop(row);
    const next: GenerationsRow =
      outcome.state === 'ready'
        ? {
            ...row,
            state: 'ready',
            loaded_chunk_count: outcome.chunks,
            message: outcome.message ?? null,
          }
        : { ...row, state: 'failed', loaded_chunk_count: null, message: outcome.message };
    await this.dependencies.rows.put([next]);
  }

  private async dropSource(tenantId: string, sourceId: string): Promise<void> {
    for (const row of await this.dependencies.rows.ofSource(tenantId, sourceId)) {
      if (row.state !== 'dropped') await this.drop(row);
    }
  }

  /**
   * Removes the tenant's rows. By then the index has dropped the tenant's generations, except those
   * that a process unaware of the erasure appended in between; this drops them.
   */
  private async dropTenant(tenantId: string): Promise<void> {
    const { rows } = this.dependencies;
    for (const row of await rows.ofTenant(tenantId))
      if (row.state !== 'dropped') await this.drop(row);
    await rows.deleteOfTenant(tenantId);
  }

  private async drop(row: GenerationsRow): Promise<void> {
    await this.dependencies.searchIndex.dropGeneration(
      row.tenant_id,
      row.source_id,
      row.generation,
    );
    await this.dependencies.rows.put([droppedRow(row)]);
  }

  private isDropped({ tenant_id, source_id, generation }: GenerationsRow): boolean {
    return this.dependencies.drops.has(tenant_id, source_id, generation);
  }
}

function stagedRow({ tenant_id, data, occurred_at }: ProjectedEvent<'JobStaged'>): GenerationsRow {
  return {
    tenant_id,
    source_id: data.source_id,
    generation: data.generation,
    job_id: data.job_id,
    state: 'loading',
    manifest: data.manifest,
    version_ref: data.version_ref,
    expected_chunk_count: data.chunk_count,
    loaded_chunk_count: null,
    message: null,
    staged_at: occurred_at,
  };
}
