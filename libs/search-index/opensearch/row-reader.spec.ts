import { describe, expect, it } from '@jest/globals';

import type { IndexLayout } from './index-layout.js';
import type { RowFilter } from './row-filter.js';
import { RowReader } from './row-reader.js';
import type { SearchServer } from './server.js';

const ORDER = ['ordinal'];

interface Search {
  readonly body: {
    readonly size: number;
    readonly query: { readonly bool: { readonly filter: readonly [{ readonly file: string }] } };
    readonly search_after?: readonly [number];
  };
}

/** A server whose files have so many rows; it records the files of each request. */
function serverOf(files: Readonly<Record<string, number>>, asked: string[][]): SearchServer {
  const searches = (_index: string, some: readonly Search[]) => {
    asked.push(some.map(({ body }) => body.query.bool.filter[0].file));
    return Promise.resolve(
      some.map(({ body }) => {
        const first = (body.search_after?.[0] ?? -1) + 1;
        const rest = Math.max(0, (files[body.query.bool.filter[0].file] ?? 0) - first);
        const hits = Array.from({ length: Math.min(body.size, rest) }, (_, at) => ({
          _id: String(first + at),
          sort: [first + at],
        }));
        return { hits: { hits } };
      }),
    );
  };
  return { searches } as unknown as SearchServer;
}

describe('rows of several filters', () => {
  const fileFilter = (file: string): RowFilter => ({ routing: ['t'], clause: { file } });
  const layout = { chunks: 'chunks' } as IndexLayout;

  it('are read by one request for their first pages, and by further ones for long files', async () => {
    const asked: string[][] = [];
    const reader = new RowReader(serverOf({ a: 2, b: 7, c: 3 }, asked), layout);
    const filters = ['a', 'b', 'c', 'none'].map(fileFilter);
    const pages = await reader.firstPages(filters, { size: 3 }, ORDER);
    expect(asked).toEqual([['a', 'b', 'c', 'none']]);
    const found: string[][] = [];
    for (const [at, filter] of filters.entries()) {
      const ids: string[] = [];
      for await (const { _id } of reader.hits(filter, { size: 3 }, ORDER, pages[at])) ids.push(_id);
      found.push(ids);
    }
    expect(found).toEqual([['0', '1'], ['0', '1', '2', '3', '4', '5', '6'], ['0', '1', '2'], []]);
    expect(asked.slice(1)).toEqual([['b'], ['b'], ['c']]);
  });

  it('are read page by page without a first page', async () => {
    const asked: string[][] = [];
    const reader = new RowReader(serverOf({ a: 4 }, asked), layout);
    const ids: string[] = [];
    for await (const { _id } of reader.hits(fileFilter('a'), { size: 3 }, ORDER)) ids.push(_id);
    expect([ids, asked]).toEqual([
      ['0', '1', '2', '3'],
      [['a'], ['a']],
    ]);
  });
});
