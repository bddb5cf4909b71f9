import { describe, expect, it } from '@jest/globals';

import { RANKING_META } from '#test/support/ranking-meta';

import { rowIdColumn } from '../chunk-row.js';
import type { IndexLayout } from '../index-layout.js';
import { encodeRanking } from '../ranking-data.js';
import type { SearchServer } from '../server.js';
import { RankingRows } from './ranking-rows.js';

interface AskedBody {
  readonly query: {
    readonly bool: {
      readonly filter: readonly [{ readonly ids: { readonly values: string[] } }, object];
    };
  };
}

describe('ranking rows', () => {
  let rows: Set<string>;
  let asked: string[][];

  /** Answers with the existing rows, each with its id as path. */
  const server = {
    searches: (_index: string, searches: readonly { readonly body: AskedBody }[]) =>
      Promise.resolve(
        searches.map(({ body }) => {
          const [{ ids }, tenants] = body.query.bool.filter;
          expect(tenants).toEqual({ terms: { tenant_id: ['t'] } });
          asked.push(ids.values);
          const hits = ids.values
            .filter((id) => rows.has(id))
            .map((id) => ({
              fields: {
                row_id: [rowIdColumn(id)],
                ranking: [
                  encodeRanking({ ...RANKING_META, path: id }, 0.5, new Int8Array(16), []).toString(
                    'base64',
                  ),
                ],
              },
            }));
          return { hits: { hits } };
        }),
      ),
  } as unknown as SearchServer;
  const open = (maxBytes: number): RankingRows => {
    [rows, asked] = [new Set(['a.1', 'b.1', 'c.2']), []];
    return new RankingRows(server, { chunks: 'chunks' } as IndexLayout, maxBytes);
  };
  const read = async (from: RankingRows, ...ids: string[]): Promise<string[]> => {
    const found = await from.read(new Set(ids.map(rowIdColumn)), ['t']);
    return ids.map((id) => found.get(rowIdColumn(id))?.meta.path ?? 'missing');
  };

  it('are read once', async () => {
    const kept = open(1e6);
    expect(await read(kept, 'a.1', 'b.1')).toEqual(['a.1', 'b.1']);
    expect(await read(kept, 'c.2', 'b.1')).toEqual(['c.2', 'b.1']);
    expect(await read(kept, 'a.1')).toEqual(['a.1']);
    expect(asked).toEqual([['a.1', 'b.1'], ['c.2']]);
  });

  it('are requested once by searches that need them at the same time', async () => {
    const kept = open(0);
    const both = await Promise.all([read(kept, 'a.1', 'b.1'), read(kept, 'b.1', 'c.2')]);
    expect(both).toEqual([
      ['a.1', 'b.1'],
      ['b.1', 'c.2'],
    ]);
    expect(asked).toEqual([['a.1', 'b.1'], ['c.2']]);
    expect(await read(kept, 'b.1')).toEqual(['b.1']);
    expect(asked).toHaveLength(3);
  });

  it('are read again if they do not fit in memory', async () => {
    const kept = open(0);
    expect(await read(kept, 'a.1', 'b.1', 'c.2')).toEqual(['a.1', 'b.1', 'c.2']);
    expect(await read(kept, 'a.1')).toEqual(['a.1']);
    expect(asked).toHaveLength(2);
  });

  it('that were deleted in between are not omitted', async () => {
    const kept = open(1e6);
    rows.delete('b.1');
    await expect(read(kept, 'a.1', 'b.1')).rejects.toMatchObject({ code: 'engine_unavailable' });
  });
});
