import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { IndexedSource } from '#test/support/indexed-source';

import type { PackTables } from '../../pack/pack-tables.js';
import { readPack } from '../../pack/read-pack.js';
import { KeptPaths } from './kept-paths.js';
import { SliceFiles } from './slice-files.js';

const PATHS = ['src/a.ts', 'src/b.ts', 'docs/c.md', 'd.rs'];

/** Returns the tables of packs of a source, each with a chunk of every path. */
async function packsOf(sourceId: string, ...packs: readonly string[][]): Promise<PackTables[]> {
  const source = new IndexedSource('one', sourceId);
  return Promise.all(
    packs.map(async (paths) => {
      const { hash } = source.pack(paths.map((path) => ({ path, text: path })));
      return readPack(await source.readBlob(hash)).tables;
    }),
  );
}

describe('SliceFiles', () => {
  it('gives equal numbers to equal sources and paths, in order of first appearance', async () => {
    const packs = [
      ...(await packsOf('first', PATHS, PATHS.slice(1), PATHS.slice(0, 2))),
      ...(await packsOf('second', PATHS)),
    ];
    const read = fc.record({ pack: fc.nat(packs.length - 1), chunk: fc.nat(PATHS.length - 1) });
    fc.assert(
      fc.property(
        fc.array(read, { maxLength: 30 }),
        fc.integer({ min: 1, max: 9 }),
        (reads, limit) => {
          const files = new SliceFiles(new KeptPaths(limit));
          const expected = new Map<string, number>();
          for (const { pack, chunk: read } of reads) {
            const tables = packs[pack] as PackTables;
            const chunk = read % tables.chunkCount;
            const file = `${tables.meta.source_id} ${tables.path(chunk)}`;
            if (!expected.has(file)) expected.set(file, expected.size);
            const pathId = tables.pathId(chunk);
            expect(files.number(tables, pathId)).toBe(expected.get(file));
            expect(files.facts(tables, pathId).path).toBe(tables.path(chunk));
          }
        },
      ),
    );
  });
});

describe('KeptPaths', () => {
  it('returns the same facts again, and removes those of all packs at its limit', async () => {
    const [one, other] = (await packsOf('first', PATHS, PATHS.slice(1))) as [
      PackTables,
      PackTables,
    ];
    const kept = new KeptPaths(2);
    const first = kept.of(one).facts(one.pathId(0));
    kept.of(other).facts(other.pathId(0));
    expect(kept.of(one).facts(one.pathId(0))).toBe(first);
    kept.of(other).facts(other.pathId(1));
    const again = kept.of(one).facts(one.pathId(0));
    expect(again).not.toBe(first);
    expect(again.path).toBe(first.path);
  });
});
