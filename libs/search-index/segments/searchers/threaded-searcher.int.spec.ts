import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { analyzeQuery, embedTerms, HASH_NGRAM_ID, MEANING_ID, quantize } from '#retrieval';
import {
  type ChunkSketch,
  IndexedSource,
  type SketchModel,
  uuidOf,
} from '#test/support/indexed-source';
import { tempDir } from '#test/support/temp-dir';

import { RETRIEVAL_VERSION } from '../../search-index.port.js';
import type { SliceQuery } from '../scan/search-slice.js';
import { wholeView } from '../scan/searched-view.js';
import { loadedGeneration, recordOf, type SegmentView } from '../store/loaded-generation.js';
import { SegmentFolder } from '../store/segment-folder.js';
import { SegmentPool } from '../store/segment-pool.js';
import { VectorArena } from '../store/vector-arena.js';
import { divide } from './divide.js';
import { joinSlices, type SliceAnswer } from './join-slices.js';
import { createInlineSearcher } from './scope-searcher.js';
import { SearchThread } from './search-thread.js';
import type { SearchThreadData } from './thread-protocol.js';
import { ThreadedSearcher } from './threaded-searcher.js';

const TENANT = uuidOf('tenant');
const LEAST_BY_RETRIEVER = 40;
/** Its vectors have signatures. */
const SIGNED: SketchModel = {
  id: MEANING_ID,
  dimensions: 128,
  embed: (text) => {
    const { terms, frequencies } = analyzeQuery(text);
    return embedTerms(terms, frequencies).subarray(0, 128);
  },
};
function never(): never {
  throw new Error('There is no view');
}

const WORDS = [
  'evict',
  'oldest',
  'entry',
  'socket',
  'frames',
  'retry',
  'backoff',
  'cache',
  'parse',
  'token',
];

describe('searching in threads', () => {
  let folder: ReturnType<typeof tempDir>;
  let arena: VectorArena;
  let pool: SegmentPool;
  const threads: SearchThread[] = [];
  let opened: ThreadedSearcher | undefined;

  /** Divides any scope with more than one view. */
  function open(count: number, spare = 0): ThreadedSearcher {
    const startThread = (data: SearchThreadData): SearchThread => {
      const thread = new SearchThread(data);
      threads.push(thread);
      return thread;
    };
    const leasts = { leastChunks: 1, leastByRetriever: LEAST_BY_RETRIEVER };
    return (opened = new ThreadedSearcher(arena.memory, count, { ...leasts, spare, startThread }));
  }

  beforeEach(() => {
    folder = tempDir('footnote-threads-');
    arena = new VectorArena();
    pool = new SegmentPool(new SegmentFolder(folder.path), arena);
  });
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
    threads.length = 0;
    pool.close();
    folder.remove();
  });

  async function viewsOf(
    name: string,
    sketches: readonly ChunkSketch[],
    dropped: string[] = [],
    model?: SketchModel,
  ): Promise<SegmentView[]> {
    const source = new IndexedSource(TENANT, uuidOf(name));
    const record = recordOf(source.manifest(1, [source.pack(sketches, dropped, model)], model));
    const segments = record.packs.map(({ hash }) => pool.acquire(TENANT, hash, source.readBlob));
    return [...loadedGeneration(record, await Promise.all(segments)).views];
  }

  function queryOf(text: string, limit: number): SliceQuery {
    const { terms, identifiers, frequencies } = analyzeQuery(text);
    const vector = embedTerms(terms, frequencies);
    const vectors = new Map([
      [HASH_NGRAM_ID, quantize(vector)],
      [MEANING_ID, quantize(vector.subarray(0, SIGNED.dimensions))],
    ]);
    return {
      tenant: TENANT,
      terms,
      identifiers,
      limit,
      filter: undefined,
      vectors,
      version: RETRIEVAL_VERSION,
    };
  }

  const answerOf = (
    slices: readonly [SliceAnswer, ...SliceAnswer[]],
    { limit, vectors }: SliceQuery,
  ): unknown => {
    const { candidates, statistics } = joinSlices(slices, limit, vectors);
    const values = candidates.map(
      ({ chunkId, path, cosine, cosineModel, termFrequencies, length, defs }) => {
        return {
          chunkId,
          path,
          cosine,
          cosineModel,
          terms: Array.from(termFrequencies),
          length,
          defs,
        };
      },
    );
    return { values, statistics };
  };

  it('finds the same as one thread, however the scope is divided', async () => {
    const text = fc
      .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 })
      .map((words) => words.join(' '));
    const texts = fc.array(fc.array(text, { minLength: 1, maxLength: 8 }), {
      minLength: 1,
      maxLength: 6,
    });
    const searcher = open(3);
    let made = 0;
    await fc.assert(
      fc.asyncProperty(
        texts,
        text,
        fc.integer({ min: 1, max: 4 }),
        async (sources, query, limit) => {
          made += 1;
          const scope: SegmentView[] = [];
          for (const [at, chunks] of sources.entries()) {
            const sketches = chunks.map((each, i) => ({
              path: `f${i}.ts`,
              text: each,
              defs: [each.split(' ')[0] ?? ''],
            }));
            scope.push(
              ...(await viewsOf(`${made}/${at}`, sketches, chunks.length > 3 ? ['f1.ts'] : [])),
            );
          }
          const asked = queryOf(query, limit);
          const alone = await createInlineSearcher(arena.memory).search(scope, scope, asked);
          searcher.add(scope);
          expect(answerOf(await searcher.search(scope, scope, asked), asked)).toEqual(
            answerOf(alone, asked),
          );
          await searcher.remove(scope);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('finds the same as one thread if one finds words and another one vectors', async () => {
    const searcher = open(2);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }), {
          minLength: LEAST_BY_RETRIEVER,
          maxLength: 60,
        }),
        fc.array(fc.constantFrom(...WORDS, 'unheard'), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 30 }),
        fc.boolean(),
        async (texts, query, limit, isFiltered) => {
          const sketches = texts.map((words, i) => ({
            path: `f${i % 20}.ts`,
            text: `${words.join(' ')} ${i}`,
            ordinal: i,
            defs: words.slice(0, 1),
          }));
          // Both views have the same chunks and differ only in their place in the scope.
          const twice = [
            ...(await viewsOf('twice', sketches, ['f3.ts'], SIGNED)),
            ...(await viewsOf('twice', sketches, ['f4.ts'], SIGNED)),
          ];
          const filter = isFiltered ? { paths: ['f1*.ts'], languages: [] } : undefined;
          const asked = { ...queryOf(query.join(' '), limit), filter };
          const alone = await createInlineSearcher(arena.memory).search(twice, twice, asked);
          searcher.add(twice);
          const slices = await searcher.search(twice, twice, asked);
          expect(slices.map(({ only }) => only)).toEqual(['words', 'vectors']);
          expect(answerOf(slices, asked)).toEqual(answerOf(alone, asked));
          await searcher.remove(twice);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('starts the spare thread, and divides by retrievers, from a number of chunks on', async () => {
    const searcher = open(1, 1);
    const sketches = Array.from({ length: LEAST_BY_RETRIEVER }, (_, i) => ({
      path: `f${i}.ts`,
      text: `evict ${i}`,
    }));
    const small = await viewsOf('small', sketches.slice(1), [], SIGNED);
    searcher.add(small);
    expect(threads).toHaveLength(1);
    const large = await viewsOf('large', sketches, [], SIGNED);
    searcher.add(large);
    expect(threads).toHaveLength(2);
    const asked = queryOf('evict', 100);
    const onlyOf = async (scope: readonly SegmentView[]): Promise<unknown[]> =>
      (await searcher.search(scope, scope, asked)).map(({ only }) => only);
    expect(await onlyOf(small)).toEqual([undefined]);
    expect(await onlyOf(large)).toEqual(['words', 'vectors']);
    const both = await Promise.all([onlyOf(large), onlyOf(large)]);
    // The second search finds no idle thread.
    expect(both).toEqual([['words', 'vectors'], [undefined]]);
    await threads[1]?.end();
    expect(await onlyOf(large)).toEqual(['words', 'vectors']);
  });

  it('finds the same as one thread when a segment is cut', async () => {
    const words = Array.from({ length: 17_000 }, (_, i) => [
      WORDS[i % 10],
      WORDS[(i * 7) % 9],
      `entry${i % 50}`,
    ]);
    const sketches = words.map((each, i) => ({
      path: `f${i % 300}.ts`,
      text: `${each.join(' ')} ${i}`,
      defs: [`entry${i % 50}`],
    }));
    const [large = never()] = await viewsOf('large', sketches, ['f7.ts']);
    const scope = [...(await viewsOf('small', sketches.slice(0, 40))), large];
    const searcher = open(3);
    searcher.add(scope);
    for (const text of [
      'evict the oldest entry',
      'entry7',
      'socket frames',
      'unheard',
      'parse token entry49 cache',
    ]) {
      const asked = queryOf(text, 60);
      const alone = await createInlineSearcher(arena.memory).search(scope, scope, asked);
      const slices = await searcher.search(scope, scope, asked);
      expect(slices.map((slice) => slice.scope.length)).toEqual([2, 1, 1]);
      expect(answerOf(slices, asked)).toEqual(answerOf(alone, asked));
    }
  }, 60_000);

  it('restarts a dead thread with all its views', async () => {
    const searcher = open(1);
    const views = await viewsOf('a', [{ path: 'a.ts', text: 'evict the oldest entry' }]);
    searcher.add(views);
    const query = queryOf('evict', 5);
    const before = answerOf(await searcher.search(views, views, query), query);
    await threads[0]?.end();
    expect(answerOf(await searcher.search(views, views, query), query)).toEqual(before);
    expect(threads).toHaveLength(2);
  });

  it('repeats the searches of a dead thread once', async () => {
    const searcher = open(1);
    const views = await viewsOf('a', [{ path: 'a.ts', text: 'evict the oldest entry' }]);
    searcher.add(views);
    const query = queryOf('evict', 5);
    const searches = [1, 2].map(() => searcher.search(views, views, query));
    const ended = threads[0]?.end();
    for (const search of searches) expect((await search)[0].found.chunks).toHaveLength(1);
    await ended;
    expect(threads).toHaveLength(2);
  });

  it('answers engine_unavailable when the second thread dies too', async () => {
    const searcher = open(1);
    const views = await viewsOf('a', [{ path: 'a.ts', text: 'evict the oldest entry' }]);
    searcher.add(views);
    const search = searcher.search(views, views, queryOf('evict', 5));
    const failed = expect(search).rejects.toMatchObject({
      code: 'engine_unavailable',
      retryAfter: 1,
    });
    const first = threads[0]?.end();
    while (threads.length < 2) await Promise.resolve();
    const second = threads[1]?.end();
    await failed;
    await first;
    await second;
  });

  it('ends a thread that cannot accept a view, instead of searching without it', async () => {
    const thread = new SearchThread({ memory: arena.memory, vectorScratch: 1 });
    const view = {
      id: 2,
      segment: 1,
      embedderId: 'x',
      dropped: undefined,
      liveChunks: 1,
      liveLength: 1,
    };
    thread.tell({ kind: 'add', segments: [], views: [view] });
    const query = queryOf('evict', 5);
    const none = new Uint32Array();
    const asked = thread.search({ kind: 'search', scope: none, parts: none, corpus: none, query });
    await expect(asked).rejects.toMatchObject({ code: 'engine_unavailable' });
    await expect(
      thread.remove({ kind: 'remove', views: [2], segments: [] }),
    ).resolves.toBeUndefined();
    expect(thread.dead).toBe(true);
  });

  it('removes views only after the earlier searches have ended', async () => {
    const searcher = open(2);
    const views = await viewsOf(
      'a',
      Array.from({ length: 50 }, (_, i) => ({ path: `f${i}.ts`, text: `evict ${i}` })),
    );
    searcher.add(views);
    const query = queryOf('evict', 100);
    const done: string[] = [];
    const searches = Array.from({ length: 20 }, async () => {
      const [{ found }] = await searcher.search(views, views, query);
      done.push(`found ${found.chunks.length}`);
    });
    await searcher.remove(views).then(() => done.push('removed'));
    await Promise.all(searches);
    expect(done).toEqual([...new Array<string>(20).fill('found 50'), 'removed']);
    await expect(searcher.search(views, views, query)).rejects.toMatchObject({
      code: 'engine_unavailable',
    });
  });

  it('rejects searches beyond a bound, and all when it is closed', async () => {
    const searcher = open(1);
    const views = await viewsOf('a', [{ path: 'a.ts', text: 'evict' }]);
    searcher.add(views);
    const query = queryOf('evict', 1);
    const settled = await Promise.allSettled(
      Array.from({ length: 2_001 }, () => searcher.search(views, views, query)),
    );
    expect(settled.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { code: 'engine_unavailable', retryAfter: 1 } },
    ]);
    await searcher.close();
    await expect(searcher.search(views, views, query)).rejects.toMatchObject({
      code: 'shutting_down',
    });
  });
});

describe('dividing a scope', () => {
  const view = (chunkCount: number, id = 'hash-ngram-v1'): SegmentView => {
    const meta = { embedder: { id, dimensions: 384 } };
    return { segment: { tables: { chunkCount, meta } } } as unknown as SegmentView;
  };
  const sizes = (slices: ReturnType<typeof divide>): number[] | undefined =>
    slices?.map((slice) => slice.reduce((sum, { from, to }) => sum + to - from, 0));

  it('creates slices of about as many chunks', () => {
    const small = [60, 10, 30, 20, 40, 40].map((count) => view(count));
    expect(sizes(divide(small, 2, 50))).toEqual([100, 100]);
    expect(sizes(divide([view(100_000)], 3, 15_000))).toEqual([32_256, 32_256, 35_488]);
    expect(sizes(divide([view(9_000), view(41_000)], 2, 15_000))).toEqual([25_128, 24_872]);
  });

  it('leaves a scope whole whose vectors have signatures', () => {
    expect(divide([view(9_000), view(90_000, MEANING_ID)], 2, 15_000)).toBeUndefined();
  });

  it('has every chunk once, a view once per slice, and cuts only between blocks', () => {
    const scopes = fc.array(fc.integer({ min: 1, max: 60_000 }), { maxLength: 12 });
    fc.assert(
      fc.property(
        scopes,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 20_000 }),
        (counts, most, least) => {
          const scope = counts.map((count) => view(count));
          const whole = scope.map(wholeView);
          const slices = divide(scope, most, least) ?? [whole];
          expect(slices.length).toBeLessThanOrEqual(most);
          const ends = new Map(scope.map((each) => [each, 0]));
          for (const slice of slices) {
            expect(new Set(slice.map((range) => range.view)).size).toBe(slice.length);
            if (counts.length > 0) expect(slice).not.toHaveLength(0);
            for (const { view: of, from, to } of slice) {
              expect([from, from % 4_032]).toEqual([ends.get(of), 0]);
              expect(to).toBeGreaterThan(from);
              ends.set(of, to);
            }
          }
          expect([...ends.values()]).toEqual(counts);
        },
      ),
    );
  });

  it('leaves a small scope whole, and creates no empty slice', () => {
    for (const small of [[], [view(5), view(14)]]) expect(divide(small, 4, 10)).toBeUndefined();
    expect(divide([view(500)], 4, 10)).toHaveLength(1);
    expect(divide([view(500), view(1)], 4, 10)).toHaveLength(2);
    expect(divide([view(50_000)], 0, 10)).toBeUndefined();
  });
});
