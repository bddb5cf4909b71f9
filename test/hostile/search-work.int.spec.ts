import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { analyzeQuery, embedTerms, HASH_NGRAM_ID, quantize } from '#retrieval';
import { RETRIEVAL_VERSION } from '#search-index';
import type { ChunkFilter } from '#search-index/chunk-filter';
import { PackTables } from '#search-index/pack/pack-tables';
import { AcceptedChunks } from '#search-index/segments/scan/accepted-chunks';
import { CorpusCache } from '#search-index/segments/scan/corpus-cache';
import { type ScanLimits, ScanPace } from '#search-index/segments/scan/scan-pace';
import { createScratch } from '#search-index/segments/scan/scratch';
import { SearchScope } from '#search-index/segments/scan/search-scope';
import { searchSlice, type SliceQuery } from '#search-index/segments/scan/search-slice';
import { wholeView } from '#search-index/segments/scan/searched-view';
import { vectorTools } from '#search-index/segments/scan/vector-tools';
import { WordDirectories } from '#search-index/segments/scan/word-directories';
import { createInlineSearcher } from '#search-index/segments/searchers/scope-searcher';
import {
  loadedGeneration,
  recordOf,
  type SegmentView,
} from '#search-index/segments/store/loaded-generation';
import { SegmentFolder } from '#search-index/segments/store/segment-folder';
import { SegmentPool } from '#search-index/segments/store/segment-pool';
import { VectorArena } from '#search-index/segments/store/vector-arena';
import { IndexedSource, uuidOf } from '#test/support/indexed-source';
import { tempDir } from '#test/support/temp-dir';

const [HOSTILE, OTHER] = [uuidOf('hostile tenant'), uuidOf('other tenant')];
const [MAX_QUERY, MAX_ITEMS, MAX_PATTERN, MAX_LANGUAGE, MAX_SOURCES] = [2_000, 50, 256, 50, 1_000];

/** Patterns of the largest legal size, each with 64 alternatives. */
const PATTERNS = Array.from({ length: MAX_ITEMS }, (_, at) => {
  const choices = `{${Array.from({ length: 64 }, (__, choice) => choice % 10).join(',')}}`;
  return `z${at}`.padEnd(MAX_PATTERN - choices.length, 'a') + choices;
});

/** A clock that advances with each look: what counts is work and not time. */
function countedClock(budgetMs: number): ScanLimits & { readonly looks: () => number } {
  let looks = 0;
  return {
    sliceMs: 1,
    budgetMs,
    unitsALook: 250_000,
    cpuMs: () => (looks += 1),
    looks: () => looks,
  };
}

describe('the work of a hostile search', () => {
  let folder: ReturnType<typeof tempDir>;
  let arena: VectorArena;
  let pool: SegmentPool;

  beforeEach(() => {
    folder = tempDir('footnote-hostile-search-');
    arena = new VectorArena();
    pool = new SegmentPool(new SegmentFolder(folder.path), arena);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    pool.close();
    folder.remove();
  });

  async function viewsOf(
    tenant: string,
    name: string,
    files: number,
    chunksAFile = 1,
  ): Promise<SegmentView[]> {
    const source = new IndexedSource(tenant, uuidOf(name));
    const sketches = Array.from({ length: files * chunksAFile }, (_, at) => ({
      path: `${'a'.repeat(200)}/${at % files}.ts`,
      text: `evict the oldest entry ${at}`,
      ordinal: Math.floor(at / files),
    }));
    const record = recordOf(source.manifest(1, [source.pack(sketches)]));
    const segments = record.packs.map(({ hash }) => pool.acquire(tenant, hash, source.readBlob));
    return [...loadedGeneration(record, await Promise.all(segments)).views];
  }

  function queryOf(tenant: string, text: string, filter?: ChunkFilter): SliceQuery {
    const { terms, identifiers, frequencies } = analyzeQuery(text);
    const vectors = new Map([[HASH_NGRAM_ID, quantize(embedTerms(terms, frequencies))]]);
    return { tenant, terms, identifiers, limit: 200, filter, vectors, version: RETRIEVAL_VERSION };
  }

  /** Runs one search to its end. @returns units of work */
  function workOf(views: readonly SegmentView[], query: SliceQuery): number {
    const pace = new ScanPace(countedClock(Infinity));
    const tools = {
      vectorTools: vectorTools(arena.memory, 0),
      scratch: createScratch(),
      accepted: new AcceptedChunks(),
      words: { directories: new WordDirectories(), corpora: new CorpusCache() },
      pace,
    };
    const scope = new SearchScope(views.map(wholeView));
    for (const steps = searchSlice(scope, views, query, tools); !steps.next().done;) pace.resume();
    return pace.spent;
  }

  it('fails that search alone, while another tenant is answered at the same time', async () => {
    const limits = countedClock(150);
    const searcher = createInlineSearcher(arena.memory, limits);
    const [theirs, others] = [await viewsOf(HOSTILE, 'many', 400), await viewsOf(OTHER, 'few', 5)];
    const ends: string[] = [];
    const hostile = queryOf(HOSTILE, 'evict', { paths: PATTERNS, languages: [] });
    const failed = searcher.search(theirs, theirs, hostile).catch((error: Error) => {
      ends.push(error.name);
    });
    const again = searcher
      .search(theirs, theirs, queryOf(HOSTILE, 'entry'))
      .then(() => ends.push('same tenant'));
    const beside = searcher.search(others, others, queryOf(OTHER, 'evict'));
    expect((await beside)[0].found.chunks).toHaveLength(5);
    // The other tenant waited for one slice and not for the budget.
    expect(limits.looks()).toBeLessThan(20);
    await Promise.all([failed, again]);
    expect(ends).toEqual(['SearchBudgetError', 'same tenant']);
  });

  it('leaves nothing of a failed search in the next one', async () => {
    const searcher = createInlineSearcher(arena.memory, countedClock(150));
    const views = await viewsOf(HOSTILE, 'many', 400);
    const query = queryOf(HOSTILE, 'evict the oldest');
    const alone = await createInlineSearcher(arena.memory).search(views, views, query);
    const hostile = { ...query, filter: { paths: PATTERNS, languages: [] } };
    await expect(searcher.search(views, views, hostile)).rejects.toMatchObject({
      name: 'SearchBudgetError',
    });
    expect((await searcher.search(views, views, query))[0].found).toEqual(alone[0].found);
  });

  it('takes turns in the middle of any leg without a change of its result', async () => {
    const limits = { sliceMs: 0, budgetMs: Infinity, unitsALook: 1, cpuMs: () => 0 };
    const searcher = createInlineSearcher(arena.memory, limits);
    const tenants = [HOSTILE, OTHER, uuidOf('third tenant')];
    const views = await Promise.all(tenants.map((tenant) => viewsOf(tenant, tenant, 60, 5)));
    const filter = { paths: ['*.ts', 'a*/{1,2}*.ts'], languages: ['typescript'] };
    const queries = tenants.map((tenant, at) =>
      queryOf(tenant, `evict oldest entry ${at}`, filter),
    );
    const found = await Promise.all(
      queries.map((query, at) => searcher.search(views[at] ?? [], views[at] ?? [], query)),
    );
    for (const [at, query] of queries.entries()) {
      const alone = await createInlineSearcher(arena.memory).search(
        views[at] ?? [],
        views[at] ?? [],
        query,
      );
      expect(found[at]?.[0].found).toEqual(alone[0].found);
    }
  });

  it('decides each path once a filter, over all its chunks and later searches', async () => {
    const paths = jest.spyOn(PackTables.prototype, 'path');
    const views = await viewsOf(HOSTILE, 'many', 40, 10);
    const searcher = createInlineSearcher(arena.memory);
    const query = queryOf(HOSTILE, 'evict', { paths: PATTERNS.slice(0, 2), languages: [] });
    paths.mockClear();
    for (let time = 0; time < 3; time += 1) await searcher.search(views, views, query);
    expect(paths).toHaveBeenCalledTimes(40);
  });

  it.each<readonly [string, (views: SegmentView[], share: number) => SliceQuery]>([
    ['query', (_, share) => queryOf(HOSTILE, words(MAX_QUERY * share))],
    [
      'path_patterns',
      (_, share) =>
        queryOf(HOSTILE, 'evict', { paths: PATTERNS.slice(0, MAX_ITEMS * share), languages: [] }),
    ],
    [
      'languages',
      (_, share) => {
        const languages = Array.from({ length: MAX_ITEMS * share }, (__, at) =>
          `l${at}`.padEnd(MAX_LANGUAGE, 'x'),
        );
        return queryOf(HOSTILE, 'evict', { paths: [], languages });
      },
    ],
  ])('grows at most linearly up to the largest %s', async (_, queryFor) => {
    const views = await viewsOf(HOSTILE, 'many', 100, 5);
    const [quarter, half, whole] = [0.25, 0.5, 1].map((share) =>
      workOf(views, queryFor(views, share)),
    );
    expect(half).toBeLessThanOrEqual(2.1 * (quarter ?? 0));
    expect(whole).toBeLessThanOrEqual(2.1 * (half ?? 0));
  });

  it('grows at most linearly up to the largest number of sources', async () => {
    const sources = await Promise.all(
      Array.from({ length: MAX_SOURCES / 4 }, (_, at) => viewsOf(HOSTILE, `source ${at}`, 2)),
    );
    const query = queryOf(HOSTILE, words(MAX_QUERY));
    const [half, whole] = [0.5, 1].map((share) =>
      workOf(sources.slice(0, sources.length * share).flat(), query),
    );
    expect(whole).toBeLessThanOrEqual(2.1 * (half ?? 0));
  });
});

/** Different words of some length in all. */
function words(length: number): string {
  return Array.from({ length: length / 8 }, (_, at) => `evict${at.toString(36)}`)
    .join(' ')
    .slice(0, length);
}
