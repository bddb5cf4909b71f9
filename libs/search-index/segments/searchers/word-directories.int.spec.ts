import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { analyzeQuery, embedTerms, HASH_NGRAM_ID, quantize } from '#retrieval';
import { type ChunkSketch, IndexedSource, uuidOf } from '#test/support/indexed-source';
import { tempDir } from '#test/support/temp-dir';

import { RETRIEVAL_VERSION } from '../../search-index.port.js';
import type { SliceQuery } from '../scan/search-slice.js';
import { loadedGeneration, recordOf, type SegmentView } from '../store/loaded-generation.js';
import { SegmentFolder } from '../store/segment-folder.js';
import { SegmentPool } from '../store/segment-pool.js';
import { VectorArena } from '../store/vector-arena.js';
import { createInlineSearcher, type ScopeSearcher } from './scope-searcher.js';

const [TENANT, OTHER] = [uuidOf('tenant'), uuidOf('other tenant')];
const WORDS = ['evict', 'oldest', 'entry', 'socket', 'frames', 'retry', 'cache', 'parseToken'];

describe('directories of words', () => {
  let folder: ReturnType<typeof tempDir>;
  let arena: VectorArena;
  let pool: SegmentPool;
  let made = 0;

  beforeEach(() => {
    folder = tempDir('footnote-words-');
    arena = new VectorArena();
    pool = new SegmentPool(new SegmentFolder(folder.path), arena);
  });
  afterEach(() => {
    pool.close();
    folder.remove();
  });

  async function viewsOf(
    tenant: string,
    packs: readonly (readonly string[])[],
    dropped: readonly string[] = [],
  ): Promise<SegmentView[]> {
    const source = new IndexedSource(tenant, uuidOf((made += 1)));
    const stored = packs.map((texts, pack) =>
      source.pack(
        texts.map((text, at) => sketchOf(text, `f${pack}-${at}.ts`)),
        dropped,
      ),
    );
    const record = recordOf(source.manifest(1, stored));
    const segments = record.packs.map(({ hash }) => pool.acquire(tenant, hash, source.readBlob));
    return [...loadedGeneration(record, await Promise.all(segments)).views];
  }

  /** Searches with each pack looked up by itself. */
  function without(
    scope: readonly SegmentView[],
    corpus: readonly SegmentView[],
    query: SliceQuery,
  ): Promise<unknown> {
    return foundBy(createInlineSearcher(arena.memory), scope, corpus, query);
  }

  it('change nothing in any search, in any scope, while sources come and go', async () => {
    const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 });
    const texts = fc.array(
      text.map((words) => words.join(' ')),
      { minLength: 1, maxLength: 5 },
    );
    const source = fc.record({
      packs: fc.array(texts, { minLength: 1, maxLength: 3 }),
      isOther: fc.boolean(),
      isDropped: fc.boolean(),
    });
    const sources = fc.array(source, { minLength: 2, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(sources, text, fc.nat(5), async (all, words, removed) => {
        const searcher = createInlineSearcher(arena.memory);
        const loaded: SegmentView[][] = [];
        for (const { packs, isOther, isDropped } of all) {
          const tenant = isOther ? OTHER : TENANT;
          const views = await viewsOf(tenant, packs, isDropped ? ['f0-0.ts'] : []);
          searcher.add(views);
          loaded.push(views);
        }
        const check = async (sets: readonly SegmentView[][]): Promise<void> => {
          for (const tenants of [[TENANT], [OTHER], [TENANT, OTHER]]) {
            const corpus = sets.flat().filter(({ source: of }) => tenants.includes(of.tenantId));
            for (const scope of [corpus, corpus.slice(0, 1)]) {
              const query = queryOf(tenants, words.join(' '));
              const expected = await without(scope, corpus, query);
              // The second search finds its frequencies in the cache.
              for (let time = 0; time < 2; time += 1)
                expect(await foundBy(searcher, scope, corpus, query)).toEqual(expected);
            }
          }
        };
        await check(loaded);
        const [gone = []] = loaded.splice(removed % loaded.length, 1);
        await searcher.remove(gone);
        await check(loaded);
        // A pack takes the place of a removed one.
        const fresh = await viewsOf(TENANT, [[words.join(' '), 'evict the cache'], ['retry']]);
        searcher.add(fresh);
        await check([...loaded, fresh]);
        await searcher.close();
      }),
      { numRuns: 15 },
    );
  });

  it('find each of two generations that share a pack', async () => {
    const searcher = createInlineSearcher(arena.memory);
    const whole = await viewsOf(TENANT, [['evict the entry', 'evict'], ['socket evict']]);
    const [first] = whole as [SegmentView];
    const older = { ...first, dropped: Uint8Array.of(1), liveChunks: 1 };
    const both = [...whole, older];
    searcher.add(both);
    const query = queryOf([TENANT], 'evict entry');
    expect(await foundBy(searcher, both, both, query)).toEqual(await without(both, both, query));
  });

  it('never count the content of another tenant', async () => {
    const searcher = createInlineSearcher(arena.memory);
    const mine = await viewsOf(TENANT, [['evict the oldest entry'], ['socket frames']]);
    searcher.add(mine);
    const query = queryOf([TENANT], 'evict entry');
    const before = await foundBy(searcher, mine, mine, query);
    const theirs = await viewsOf(OTHER, [['evict entry', 'evict'], ['evict the entry']]);
    searcher.add(theirs);
    await foundBy(searcher, theirs, theirs, queryOf([OTHER], 'evict entry'));
    expect(await foundBy(searcher, mine, mine, query)).toEqual(before);
  });

  it('count a generation again that replaced another one', async () => {
    const searcher = createInlineSearcher(arena.memory);
    const rest = await viewsOf(TENANT, [['socket frames']]);
    const first = await viewsOf(TENANT, [['evict the oldest entry'], ['evict']]);
    const second = await viewsOf(TENANT, [['retry the entry']]);
    const query = queryOf([TENANT], 'evict entry');
    searcher.add([...rest, ...first]);
    await foundBy(searcher, [...rest, ...first], [...rest, ...first], query);
    searcher.add(second);
    await searcher.remove(first);
    const now = [...rest, ...second];
    expect(await foundBy(searcher, now, now, query)).toEqual(await without(now, now, query));
  });
});

function sketchOf(text: string, path: string): ChunkSketch {
  return { path, text, defs: text.split(' ').slice(0, 1) };
}

function queryOf(tenants: readonly string[], text: string): SliceQuery {
  const { terms, identifiers, frequencies } = analyzeQuery(text);
  const vectors = new Map([[HASH_NGRAM_ID, quantize(embedTerms(terms, frequencies))]]);
  const tenant = [...tenants].sort().join(' ');
  return {
    tenant,
    terms,
    identifiers,
    limit: 4,
    filter: undefined,
    vectors,
    version: RETRIEVAL_VERSION,
  };
}

async function foundBy(
  searcher: ScopeSearcher,
  scope: readonly SegmentView[],
  corpus: readonly SegmentView[],
  query: SliceQuery,
): Promise<unknown> {
  const [{ found }] = await searcher.search(scope, corpus, query);
  return found;
}
