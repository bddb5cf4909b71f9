import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import {
  analyzeQuery,
  modelProfile,
  rank,
  type RankedChunk,
  type SourceStanding,
} from '#retrieval';
import type { Candidate, CandidateQuery, LiveSource, RankingQuery } from '#search-index';

import { type ChunkSketch, IndexedSource, uuidOf } from '../../support/indexed-source.js';
import { CACHE, type IndexContext, ONE, RETRY, SOCKET } from './index-context.js';

const PATHS = [
  'src/cache.ts',
  'src/session/session.ts',
  'test/cache.test.ts',
  'vendor/lua/cache.c',
  'docs/pool.md',
  'docs/de/pool.md',
];
const WORDS = ['evict', 'session', 'cache', 'retry', 'backoff', 'frame', 'oldest', 'Session'];
const QUERIES = [
  'Session',
  'evict cache',
  'session.ts',
  'how does the session evict the oldest cache frame with retry and backoff',
  'How is the Unheard evicted from the oldest cache frame after a retry',
  'nothing else',
];
const DAY_MS = 86_400_000;
/** Each run has dozens of requests to a server. */
const [RUNS, TIMEOUT_MS] = [12, 120_000];

const sketch = fc.record({
  path: fc.constantFrom(...PATHS),
  words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }),
  isDefined: fc.boolean(),
});
const standing: fc.Arbitrary<SourceStanding> = fc.record({
  priority: fc.constantFrom(0, 0.5, 1, 1.7),
  isRepository: fc.boolean(),
  isStale: fc.boolean(),
  syncedAt: fc.constantFrom(0, DAY_MS + 0.25, 9 * DAY_MS),
});
const source = fc.record({
  sketches: fc.array(sketch, { minLength: 1, maxLength: 12 }),
  standing,
});

/** A ranking equals that of the ranker for the candidates of the same query. */
export function rankingContract(context: IndexContext): void {
  describe('rankings', () => {
    it(
      'equal the ranking of the candidates in each field',
      async () => {
        let made = 0;
        await fc.assert(
          fc.asyncProperty(
            fc.array(source, { minLength: 1, maxLength: 3 }),
            fc.constantFrom(1, 5, 200),
            fc.boolean(),
            fc.boolean(),
            async (sources, limit, isFiltered, isHop) => {
              made += 1;
              const scope: LiveSource[] = [];
              const standings = new Map<string, SourceStanding>();
              for (const [at, { sketches, standing: own }] of sources.entries()) {
                const indexed = new IndexedSource(ONE, uuidOf(`ranked ${made}/${at}`));
                scope.push(await context.apply(indexed, 1, ...sketches.map(sketchOf)));
                standings.set(indexed.sourceId, own);
              }
              const filter = { paths: ['src/**', 'docs/**'], languages: [] };
              for (const text of QUERIES)
                await expectEqual(context, text, scope, {
                  changes: { limit, ...(isFiltered && { filter }) },
                  ranking: {
                    isHop,
                    explain: made % 2 === 0,
                    pathPatterns: isFiltered ? filter.paths : undefined,
                    profileOf: modelProfile,
                    sourceOf: (id) => standings.get(id) as SourceStanding,
                  },
                });
              for (const { sourceId } of scope)
                await context.index.dropGeneration(ONE, sourceId, 1);
            },
          ),
          { numRuns: RUNS },
        );
      },
      TIMEOUT_MS,
    );

    it('return the same objects for the first rows as for all', async () => {
      const live = await context.apply(
        new IndexedSource(ONE, uuidOf('s')),
        1,
        CACHE,
        RETRY,
        SOCKET,
      );
      const ranked = await context.index.ranked(context.queryOf('evict retry socket', [live]), {
        query: analyzeQuery('evict retry socket'),
        isHop: false,
        profileOf: modelProfile,
        sourceOf: () => ({ priority: 1, isRepository: true, isStale: false, syncedAt: 0 }),
      });
      expect(ranked.length).toBe(3);
      const [first] = ranked.first(1);
      expect(ranked.first(1)).toHaveLength(1);
      expect(ranked.first(9)).toHaveLength(3);
      expect(ranked.all()[0]).toBe(first);
      expect(ranked.all()[2]).toBe(ranked.first(3)[2]);
    });
  });
}

async function expectEqual(
  context: IndexContext,
  text: string,
  scope: readonly LiveSource[],
  {
    changes,
    ranking,
  }: { readonly changes: Partial<CandidateQuery>; readonly ranking: Omit<RankingQuery, 'query'> },
): Promise<void> {
  const query = analyzeQuery(text);
  const { candidates, statistics, searched } = await context.search(text, scope, changes);
  const expected = rank(query, candidates, statistics, {
    ...ranking,
    searched: ranking.isHop ? undefined : { chunks: searched },
  });
  const asked = context.queryOf(text, scope, changes);
  const ranked = await context.index.ranked(asked, { query, ...ranking });
  expect(ranked.statistics).toEqual(statistics);
  expect(ranked).toHaveLength(expected.length);
  expect(ranked.all().map(valuesOf)).toEqual(expected.map(valuesOf));
}

function sketchOf(
  { path, words, isDefined }: { path: string; words: string[]; isDefined: boolean },
  at: number,
): ChunkSketch {
  return {
    path,
    text: words.join(at % 3 === 0 ? '\n' : ' '),
    ordinal: at % 4,
    defs: isDefined ? words.slice(0, 1) : [],
    ...(isDefined && { symbol: words[0] ?? '' }),
    ...(path.endsWith('.md') && { page: true as const, fragment: `#${at}` }),
  };
}

/** Returns every value of a row, those that are read lazily included. */
function valuesOf({ candidate, copies, ...row }: RankedChunk<Candidate>) {
  return {
    ...row,
    candidate: fieldsOf(candidate),
    copies: copies?.map(fieldsOf),
  };
}

function fieldsOf(candidate: Candidate) {
  const { chunkId, sourceId, generation, path, fragment, symbol, defs, definitions } = candidate;
  const { language, chunkType, startLine, endLine, tokenCount, contentHash } = candidate;
  const { endpointKey, schemaHash, termFrequencies, length, cosine, cosineModel } = candidate;
  return [
    [chunkId, sourceId, generation, path, fragment, symbol, defs, definitions],
    [language, chunkType, startLine, endLine, tokenCount, contentHash],
    [endpointKey, schemaHash, Array.from(termFrequencies), length, cosine, cosineModel],
  ];
}
