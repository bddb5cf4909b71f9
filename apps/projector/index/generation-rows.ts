import type { DataSource } from 'typeorm';

import type { Position } from '#contracts';
import {
  asProjector,
  deleteRowsOfTenant,
  type GenerationsRow,
  generationsTable,
  loadRows,
  notifyProgress,
  toRow,
  upsertRows,
  versionTable,
} from '#read-model';
import type { LiveSource } from '#search-index';

/**
 * The rows of one version of the generations, each write a transaction of its own that may be
 * repeated.
 */
export class GenerationRows {
  constructor(
    private readonly dataSource: DataSource,
    private readonly version: number,
  ) {}

  put(rows: readonly GenerationsRow[]): Promise<void> {
    return asProjector(this.dataSource, (manager) =>
      upsertRows(manager, generationsTable, this.version, rows),
    );
  }

  async get(
    tenantId: string,
    sourceId: string,
    generation: number,
  ): Promise<GenerationsRow | undefined> {
    const key = [tenantId, sourceId, generation];
    const rows = await asProjector(this.dataSource, (manager) =>
      loadRows(manager, generationsTable, this.version, [key]),
    );
    return rows[0];
  }

  ofSource(tenantId: string, sourceId: string): Promise<GenerationsRow[]> {
    return this.select('tenant_id = $1 and source_id = $2', [tenantId, sourceId]);
  }

  ofTenant(tenantId: string): Promise<GenerationsRow[]> {
    return this.select('tenant_id = $1', [tenantId]);
  }

  deleteOfTenant(tenantId: string): Promise<void> {
    return asProjector(this.dataSource, (manager) =>
      deleteRowsOfTenant(manager, generationsTable, this.version, tenantId),
    );
  }

  all(): Promise<GenerationsRow[]> {
    return this.select('true', []);
  }

  ready(): Promise<GenerationsRow[]> {
    return this.select(`state = 'ready'`, []);
  }

  failed(): Promise<GenerationsRow[]> {
    return this.select(`state = 'failed'`, []);
  }

  /**
   * Records missing content of a generation that is ready; null means that nothing is missing. A
   * generation that was dropped in between stays unchanged.
   *
   * @returns whether that changed its row.
   */
  note({ tenantId, sourceId, generation }: LiveSource, message: string | null): Promise<boolean> {
    const sql = `update ${versionTable(generationsTable, this.version)} set message = $4
      where tenant_id = $1 and source_id = $2 and generation = $3 and state = 'ready' and message is distinct from $4
      returning generation`;
    return asProjector(this.dataSource, async (manager) => {
      const [changed] = await manager.query<[object[], number]>(sql, [
        tenantId,
        sourceId,
        generation,
        message,
      ]);
      return changed.length > 0;
    });
  }

  /**
   * Notifies listeners that rows changed without an event.
   *
   * @returns the version's checkpoint.
   */
  tell(): Promise<Position | null> {
    return asProjector(this.dataSource, (manager) =>
      notifyProgress(manager, { name: generationsTable.name, version: this.version }),
    );
  }

  private select(where: string, parameters: readonly unknown[]): Promise<GenerationsRow[]> {
    const table = versionTable(generationsTable, this.version);
    const sql = `select * from ${table} where ${where} order by tenant_id, source_id, generation`;
    return asProjector(this.dataSource, async (manager) => {
      const rows = await manager.query<Record<string, unknown>[]>(sql, [...parameters]);
      return rows.map((row) => toRow(generationsTable, row));
    });
  }
}

/**
 * The row of a generation that left: the same whether it was ever loaded or not, so that a rebuild
 * gives the same rows.
 */
export function droppedRow(row: GenerationsRow): GenerationsRow {
  return { ...row, state: 'dropped', loaded_chunk_count: null, message: null };
}
