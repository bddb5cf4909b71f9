import type { DataSource } from 'typeorm';

import {
  asProjector,
  generationsTable,
  loadRows,
  toRow,
  upsertRows,
  versionTable,
  type GenerationsRow,
} from '#read-model';

/** The rows of one version of the generations, each write a transaction of its own that may be repeated. */
export class GenerationRows {
  constructor(
    private readonly dataSource: DataSource,
    private readonly version: number,
  ) {}

  put(rows: readonly GenerationsRow[]): Promise<void> {
    return asProjector(this.dataSource, (manager) => upsertRows(manager, generationsTable, this.version, rows));
  }

  async get(tenantId: string, sourceId: string, generation: number): Promise<GenerationsRow | undefined> {
    const key = [tenantId, sourceId, generation];
    const rows = await asProjector(this.dataSource, (manager) =>
      loadRows(manager, generationsTable, this.version, [key]),
    );
    return rows[0];
  }

  ofSource(tenantId: string, sourceId: string): Promise<GenerationsRow[]> {
    return this.select('tenant_id = $1 and source_id = $2', [tenantId, sourceId]);
  }

  ready(): Promise<GenerationsRow[]> {
    return this.select(`state = 'ready'`, []);
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

/** The row of a generation that left: the same whether it was ever loaded or not, so that a rebuild gives the same rows. */
export function droppedRow(row: GenerationsRow): GenerationsRow {
  return { ...row, state: 'dropped', loaded_chunk_count: null, message: null };
}
