import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import {
  asProjector,
  auditRecordsTable,
  listAuditRecords,
  recordsUntil,
  SCHEMA,
  treeHashes,
  upsertRows,
} from '#read-model';
import { auditRow } from '#test/support/audit-rows';
import { openTestReadModel, type TestReadModel } from '#test/support/read-models';

const RECORDS = 4_000;
const TYPES = ['KeysListed', 'SourceUpdated', 'PolicyUpdated'];
const TENANTS = ['tenant-a', 'tenant-b'];

describe('records of a long trail', () => {
  let opened: TestReadModel;

  beforeAll(async () => {
    opened = await openTestReadModel();
    for (const tenant of TENANTS) {
      const rows = Array.from({ length: RECORDS }, (_, seq) =>
        auditRow(tenant, seq, {
          type: TYPES[seq % 2] ?? '',
          target: seq % 2 === 1 ? 'source:s' : null,
          other_target: seq % 3 === 1 ? 'source:s' : null,
        }),
      );
      await asProjector(opened.readModel.dataSource, (manager) =>
        upsertRows(manager, auditRecordsTable, 1, rows),
      );
    }
  });
  afterAll(() => opened.close());

  /** Returns the number of rows and index entries that PostgreSQL read for some work. */
  const readFor = async (work: () => Promise<unknown>) => {
    const before = await read();
    await work();
    return (await read()) - before;
  };
  const read = async () => {
    const { dataSource } = opened.readModel;
    await dataSource.query('select pg_stat_force_next_flush()');
    const [row] = await dataSource.query<{ read: number }[]>(
      `select (t.seq_tup_read + t.idx_tup_fetch + sum(i.idx_tup_read))::int as read
         from pg_stat_user_tables t join pg_stat_user_indexes i using (relid)
        where t.schemaname = $1 and t.relname = 'audit_records_v1'
        group by t.seq_tup_read, t.idx_tup_fetch`,
      [SCHEMA],
    );
    return row?.read ?? 0;
  };
  /** Returns the number of blocks of the index of types that PostgreSQL has read so far. */
  const typeIndexBlocks = async () => {
    const { dataSource } = opened.readModel;
    await dataSource.query('select pg_stat_force_next_flush()');
    const [row] = await dataSource.query<{ blocks: number }[]>(
      `select (idx_blks_read + idx_blks_hit)::int as blocks from pg_statio_user_indexes
        where schemaname = $1 and indexrelname like 'audit_records_v1_type_lookup%'`,
      [SCHEMA],
    );
    return row?.blocks ?? 0;
  };
  const moment = (seq: number) => auditRow('', seq).recorded_at;

  it.each([
    ['no filter', {}, () => true],
    ['a type', { types: ['KeysListed'] }, (seq: number) => seq % 2 === 0],
    ['types', { types: TYPES }, () => true],
    ['an actor', { actor_id: 'key-3' }, (seq: number) => seq % 20 === 3],
    ['a kind of actor', { actor_type: 'api_key' }, () => true],
    ['a target', { target: 'source:s' }, (seq: number) => seq % 2 === 1 || seq % 3 === 1],
    [
      'a type and a target',
      { types: ['SourceUpdated'], target: 'source:s' },
      (seq: number) => seq % 2 === 1,
    ],
    ['a request', { request_id: 'request-300' }, (seq: number) => Math.floor(seq / 5) === 300],
    ['a first moment', { from: moment(1_800) }, (seq: number) => seq >= 1_800],
    ['a last moment', { to: moment(1_800) }, (seq: number) => seq <= 1_800],
  ])('reads no more than it needs for a page by %s', async (_name, filter, matches) => {
    const all = Array.from({ length: RECORDS }, (_, seq) => seq).filter((seq) => matches(seq));
    for (const order of ['asc', 'desc'] as const) {
      const wanted = all.filter((seq) => (order === 'asc' ? seq > 1_000 : seq < 3_000));
      if (order === 'desc') wanted.reverse();
      const page = { filter, order, after: order === 'asc' ? 1_000 : 3_000, limit: 20 };
      let seqs: number[] = [];
      const rows = await readFor(async () => {
        const found = await opened.readModel.ask(listAuditRecords, 'tenant-a', page);
        seqs = found.map(({ seq }) => seq);
      });
      expect(seqs).toEqual(wanted.slice(0, 20));
      expect([order, rows < 600]).toEqual([order, true]);
    }
  });

  it('begins to read the index of a type at the page, wherever it is in the trail', async () => {
    const blocksOf = async (order: 'asc' | 'desc', after: number) => {
      const page = { filter: { types: ['KeysListed'] }, order, after, limit: 20 };
      const before = await typeIndexBlocks();
      expect(await opened.readModel.ask(listAuditRecords, 'tenant-a', page)).toHaveLength(20);
      return (await typeIndexBlocks()) - before;
    };
    for (const order of ['asc', 'desc'] as const) {
      const [near, far] = order === 'asc' ? [0, RECORDS - 50] : [RECORDS, 50];
      const nearest = await blocksOf(order, near);
      expect(await blocksOf(order, far)).toBeLessThanOrEqual(nearest + 2);
    }
  });

  it('finds the records until a moment by some entries of the key', async () => {
    for (const seq of [0, 1, 1_999, RECORDS - 1]) {
      const rows = await readFor(async () => {
        expect(await opened.readModel.ask(recordsUntil, 'tenant-b', moment(seq))).toBe(seq + 1);
      });
      expect(rows).toBeLessThan(100);
    }
    expect(await opened.readModel.ask(recordsUntil, 'tenant-b', '2020-01-01T00:00:00Z')).toBe(0);
    expect(await opened.readModel.ask(recordsUntil, 'tenant-c', moment(1))).toBe(0);
  });

  it('reads only the asked hashes', async () => {
    const rows = await readFor(async () => {
      const range = { level: 0, first: 2_000, count: 30 };
      const hashes = await opened.readModel.ask(treeHashes, 'tenant-a', range);
      expect(hashes.subarray(0, 32).toString('base64')).toBe(auditRow('tenant-a', 2_000).hash);
      expect(hashes).toHaveLength(30 * 32);
    });
    expect(rows).toBeLessThan(200);
  });
});
