import { describe, expect, it } from '@jest/globals';

import type { SourceRecord } from '../source-records.js';
import { RememberedRows } from './writer-memory.js';

const IDS = [`${'Aa0-_zZ9'.repeat(4)}.1`, `${'b'.repeat(31)}Q.4294967295`];

const record = (change: number, tenant_id = 'one', source_id = 'source'): SourceRecord => ({
  tenant_id,
  source_id,
  change,
  index_id: 'index',
  swept: true,
  generations: [],
});
const idsOf = (ids: Iterable<string> | undefined) => ids && [...ids];

describe('RememberedRows', () => {
  it('returns the ids of a generation, for that change of that source only', () => {
    const rows = new RememberedRows(10_000);
    rows.remember(record(7), 3, IDS);
    expect(idsOf(rows.recall(record(7), 3))).toEqual(IDS);
    expect(rows.recall(record(8), 3)).toBeUndefined();
    expect(rows.recall(record(7), 2)).toBeUndefined();
    expect(rows.recall(record(7, 'two'), 3)).toBeUndefined();
    expect(rows.recall(record(7, 'one', 'other'), 3)).toBeUndefined();
  });

  it('follows changes of this process that do not affect the rows, and none of another', () => {
    const rows = new RememberedRows(10_000);
    rows.remember(record(7), 3, IDS);
    rows.moved(record(8), 7);
    expect(idsOf(rows.recall(record(8), 3))).toEqual(IDS);
    rows.moved(record(10), 9);
    expect(rows.recall(record(10), 3)).toBeUndefined();
  });

  it('returns nothing after forget, or if there is too much', () => {
    const rows = new RememberedRows(2 * 28 + 1);
    rows.remember(record(7), 3, IDS);
    expect(idsOf(rows.recall(record(7), 3))).toEqual(IDS);
    rows.forget(record(7));
    expect(rows.recall(record(7), 3)).toBeUndefined();
    rows.remember(record(7), 3, [...IDS, `${'c'.repeat(32)}.1`]);
    expect(rows.recall(record(7), 3)).toBeUndefined();
  });
});
