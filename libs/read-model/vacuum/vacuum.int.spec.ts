import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { silentLogger } from '#platform';
import {
  asProjector,
  deleteRows,
  openReadModelDataSource,
  ReadModel,
  SCHEMA,
  type SourcesRow,
  sourcesTable,
  upsertRows,
} from '#read-model';
import { tempDir } from '#test/support/temp-dir';

import { tableSize } from './table-sizes.js';

const TABLE = 'sources_v1';
/** Three files of the write-ahead log. */
const LARGEST_WAL = 49 * 1024 ** 2;

function sourceRow(at: number, fields: Partial<SourcesRow> = {}): SourcesRow {
  const time = '2026-01-17T10:00:00.000Z';
  return {
    tenant_id: 'tenant',
    source_id: `source-${at}`,
    position: String(at).padStart(20, '0'),
    name: `Source ${at}`,
    source_type: 'repo',
    audience: { kind: 'tenant' },
    has_credentials: false,
    status: 'synced',
    definition: {
      source_type: 'repo',
      url: 'https://example.com',
      include_patterns: [],
      exclude_patterns: [],
    },
    doc_urls: null,
    doc_url_count: null,
    settled_status: 'synced',
    file_count: 1,
    chunk_count: 1,
    stored_bytes: 1,
    upload_bytes: 0,
    live_generation: 1,
    live_manifest: 'm',
    version_ref: 'v',
    live_url: null,
    last_sync_completed: time,
    last_job_id: 'j',
    last_error: null,
    sync_interval_seconds: 0,
    next_sync_at: null,
    has_push_hook: false,
    push_hook: null,
    scip: null,
    created_at: time,
    updated_at: time,
    ...fields,
  };
}

describe('embedded read models that are updated repeatedly', () => {
  const folder = tempDir();
  const directory = join(folder.path, 'read-model');
  let readModel: ReadModel;

  beforeAll(async () => {
    const pauses = { idleMs: 1, intervalMs: 1 };
    readModel = new ReadModel(
      await openReadModelDataSource({
        kind: 'pglite',
        directory,
        logger: silentLogger,
        vacuum: pauses,
      }),
    );
  });
  afterAll(async () => {
    await readModel.dataSource.destroy();
    folder.remove();
  });
  beforeEach(() => readModel.dataSource.query(`truncate ${SCHEMA}.${TABLE}`));

  const upsert = (rows: readonly SourcesRow[]) =>
    asProjector(readModel.dataSource, (manager) => upsertRows(manager, sourcesTable, 1, rows));
  const size = () => asProjector(readModel.dataSource, (manager) => tableSize(manager, TABLE));

  async function deadRows(): Promise<number> {
    await readModel.dataSource.query('select pg_stat_force_next_flush()');
    const [row] = await readModel.dataSource.query<{ dead: number }[]>(
      `select n_dead_tup::int as dead from pg_stat_user_tables where relname = $1`,
      [TABLE],
    );
    return row?.dead ?? 0;
  }

  /** Waits for a vacuum, which begins when no query runs. */
  async function vacuumed(): Promise<void> {
    for (let look = 0; look < 400; look += 1) {
      if ((await deadRows()) < 130) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error('The table was not vacuumed');
  }

  function bytesOf(name: string): number {
    const inside = join(directory, name);
    return readdirSync(inside).reduce((sum, file) => sum + statSync(join(inside, file)).size, 0);
  }

  it('store a long definition once, however often its source is renamed', async () => {
    const doc_urls = Array.from({ length: 200 }, () => randomBytes(150).toString('base64'));
    const rows = Array.from({ length: 10 }, (_, at) => sourceRow(at));
    const long = rows.map((row) => ({ ...row, doc_urls }));
    await upsert(long);
    const before = await size();
    for (let turn = 1; turn <= 60; turn += 1)
      await upsert(long.map((row) => ({ ...row, name: `Renamed ${turn}` })));
    const after = await size();
    expect(after.rows).toBe(10);
    expect(after.diskBytes).toBeLessThan(1.5 * before.diskBytes);
    const [first] = await readModel.dataSource.query<{ name: string; doc_urls: string[] }[]>(
      `select name, doc_urls from ${SCHEMA}.${TABLE} limit 1`,
    );
    expect(first).toEqual({ name: 'Renamed 60', doc_urls });
  });

  it('take at most twice the space of their live rows after thousands of updates', async () => {
    const rows = Array.from({ length: 1_000 }, (_, at) => sourceRow(at));
    await upsert(rows);
    for (let turn = 1; turn <= 24; turn += 1) {
      const some = rows.filter((_, at) => at % 4 === turn % 4);
      // An index is changed too: no such update is heap-only.
      await upsert(
        some.map((row) => ({ ...row, position: `${row.position}.${turn}`, file_count: turn })),
      );
      await vacuumed();
    }
    const { diskBytes, liveBytes } = await size();
    expect(diskBytes).toBeLessThan(2 * liveBytes);
  });

  it('report the size of each table', async () => {
    await upsert([sourceRow(1)]);
    const sizes = await readModel.tableSizes();
    expect(sizes.find(({ table }) => table === TABLE)).toMatchObject({ rows: 1, table: TABLE });
    expect(sizes.map(({ table }) => table)).toEqual(
      expect.arrayContaining(['jobs_v1', 'checkpoints']),
    );
  });

  it('keep a write-ahead log of bounded size', async () => {
    for (let turn = 0; turn < 12; turn += 1) {
      await readModel.dataSource.query(
        `select pg_logical_emit_message(false, 'test', repeat('x', 8 * 1024 * 1024))`,
      );
    }
    for (let look = 0; bytesOf('pg_wal') > LARGEST_WAL && look < 200; look += 1) {
      await deadRows();
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    expect(bytesOf('pg_wal')).toBeLessThanOrEqual(LARGEST_WAL);
  });

  it('contain no text of deleted rows in any file after the vacuum of an erasure', async () => {
    const canary = randomBytes(12).toString('hex');
    await upsert([sourceRow(1, { name: canary }), sourceRow(2, { name: 'kept' })]);
    await asProjector(readModel.dataSource, (manager) =>
      deleteRows(manager, sourcesTable, 1, [['tenant', 'source-1']]),
    );
    expect(filesWith(canary)).not.toEqual([]);
    expect(await readModel.vacuum()).toBe(true);
    expect(filesWith(canary)).toEqual([]);
    expect(filesWith('kept')).not.toEqual([]);
    expect((await size()).rows).toBe(1);
  });

  function filesWith(text: string): string[] {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter(
        (entry) =>
          entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(text),
      )
      .map(({ name }) => name);
  }
});
