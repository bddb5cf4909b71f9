import { join } from 'node:path';

import { seeded } from '#platform';
import { analyzeQuery } from '#retrieval';
import { RETRIEVAL_VERSION } from '#search-index';
import type { SliceQuery } from '#search-index/segments/scan/search-slice';
import {
  createInlineSearcher,
  type ScopeSearcher,
} from '#search-index/segments/searchers/scope-searcher';
import {
  loadedGeneration,
  recordOf,
  type SegmentView,
} from '#search-index/segments/store/loaded-generation';
import { SegmentFolder } from '#search-index/segments/store/segment-folder';
import { SegmentPool } from '#search-index/segments/store/segment-pool';
import { VectorArena } from '#search-index/segments/store/vector-arena';
import { type ChunkSketch, IndexedSource, uuidOf } from '#test/support/indexed-source';

import { distribution } from '../measure.js';
import type { Figure } from '../report.js';
import type { Scenario } from './scenario.js';

const CHUNKS = 58_190;
const CHUNKS_A_PACK = 30;
const WORDS_A_CHUNK = 40;
const VOCABULARY = 60_000;
const SEARCHES = 100;
const LIMIT = 200;
const TARGET_MS = 1.5;
const TENANT = uuidOf('many packs');

/**
 * The word retriever over many small packs: with the directory of words, and with a lookup in every
 * pack. The text is generated, and its word frequencies follow Zipf's law. Times are processor time
 * of the searching thread, without vectors. `--sizes` sets the number of chunks.
 */
export const manyPacksScenario: Scenario = {
  name: 'many-packs',
  async run({ scratch, sizes = [CHUNKS], seed = 7, say, note }) {
    const figures: Figure[] = [];
    for (const size of sizes) {
      const random = seeded(seed);
      const chunks = Array.from({ length: size }, (_, at) => chunkOf(at, random));
      const queries = Array.from({ length: SEARCHES }, (_, at) => queryOf(at, random));
      const arena = new VectorArena();
      const pool = new SegmentPool(new SegmentFolder(join(scratch, `${size}`)), arena);
      try {
        say(`index ${size} chunks`);
        const views = await viewsOf(pool, chunks);
        note(`corpus of ${size}`, `generated chunks in ${views.length} packs, seed ${seed}`);
        const named = (what: string) => `${views.length} packs: ${what}`;
        say('search by lookups');
        // Views that were not added are not listed in a directory.
        const lookups = await search(createInlineSearcher(arena.memory), views, views, queries);
        figures.push(figure(named('words, by a lookup in every pack'), lookups));
        say('search by the directory');
        const searcher = createInlineSearcher(arena.memory);
        const listing = await processorMs(async () => {
          searcher.add(views);
          await searcher.remove([]);
        });
        figures.push(figure(named('list them all'), [listing]));
        const first = await search(searcher, views, views, queries);
        figures.push(figure(named('words, by the directory'), first));
        const again = await search(searcher, views, views, queries);
        figures.push(figure(named('the same searches again'), again, true));
        const inOne = await search(searcher, views.slice(0, 1), views, queries);
        figures.push(figure(named('words in one source, again'), inOne, true));
        await searcher.close();
      } finally {
        pool.close();
      }
    }
    return figures;
  },
};

/** Returns the text of a chunk, with some names that it defines. */
function chunkOf(at: number, random: () => number): ChunkSketch {
  const words = Array.from({ length: WORDS_A_CHUNK }, () => word(random));
  return {
    path: `${Math.floor(at / 6)}.ts`,
    ordinal: at % 6,
    text: words.join(' '),
    defs: words.slice(0, 1),
  };
}

/** Returns half queries of one name, half of three to six words. */
function queryOf(at: number, random: () => number): SliceQuery {
  const count = at % 2 === 0 ? 1 : 3 + Math.floor(random() * 4);
  const text = Array.from({ length: count }, () => word(random)).join(' ');
  const { terms, identifiers } = analyzeQuery(text);
  return {
    tenant: TENANT,
    terms,
    identifiers,
    limit: LIMIT,
    filter: undefined,
    vectors: new Map(),
    version: RETRIEVAL_VERSION,
  };
}

/** Returns a word; the n-th is about 1/n as frequent as the first. */
function word(random: () => number): string {
  const rank = Math.floor(VOCABULARY ** random());
  const letters = [...rank.toString(26)].map((digit) =>
    String.fromCharCode(97 + Number.parseInt(digit, 26)),
  );
  return letters.join('');
}

async function viewsOf(pool: SegmentPool, chunks: readonly ChunkSketch[]): Promise<SegmentView[]> {
  const views: SegmentView[] = [];
  for (let from = 0; from < chunks.length; from += CHUNKS_A_PACK) {
    const source = new IndexedSource(TENANT, uuidOf('source', from));
    const record = recordOf(
      source.manifest(1, [source.pack(chunks.slice(from, from + CHUNKS_A_PACK))]),
    );
    const segments = record.packs.map(({ hash }) => pool.acquire(TENANT, hash, source.readBlob));
    views.push(...loadedGeneration(record, await Promise.all(segments)).views);
  }
  return views;
}

async function search(
  searcher: ScopeSearcher,
  scope: readonly SegmentView[],
  corpus: readonly SegmentView[],
  queries: readonly SliceQuery[],
): Promise<number[]> {
  const times: number[] = [];
  for (const query of queries)
    times.push(await processorMs(() => searcher.search(scope, corpus, query)));
  return times;
}

async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

function figure(what: string, times: readonly number[], isTarget = false): Figure {
  const { p50, p95 } = distribution(times);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  const raw = { mean, p50, p95, count: times.length };
  if (times.length === 1) return { what, measured: `${mean.toFixed(0)} ms`, raw };
  const measured = `mean ${mean.toFixed(2)}, p50 ${p50.toFixed(2)}, p95 ${p95.toFixed(2)} ms`;
  if (!isTarget) return { what, measured, raw };
  return { what, measured, target: `mean ≤ ${TARGET_MS} ms`, met: mean <= TARGET_MS, raw };
}
