import { describe, expect, it } from '@jest/globals';

import { choosePassages, type PassageLimits } from '#retrieval';

import type { RankCandidate, RankedChunk } from '../ranking/rank.types.js';

type Ranked = RankedChunk<RankCandidate & { readonly tokenCount: number }>;

interface Fields {
  readonly path: string;
  readonly combined: number;
  readonly semantic?: number;
  readonly frequencies?: readonly number[];
  readonly tokens?: number;
  readonly priority?: number;
}

const LIMITS: PassageLimits = { documents: 5, tokens: 4_000, passages: 50 };
/** Statistics of a hundred chunks: the first term is in two, the second in fifty. */
const STATISTICS = { chunks: 100, averageLength: 100, documentFrequencies: [2, 50] };

let next = 0;
function ranked({
  path,
  combined,
  semantic = 0,
  frequencies = [0, 0],
  tokens = 100,
  priority = 1,
}: Fields): Ranked {
  next += 1;
  return {
    candidate: {
      chunkId: `chunk-${next}`,
      sourceId: 'source',
      path,
      defines: () => false,
      chunkType: 'code' as const,
      startLine: next * 10,
      endLine: next * 10 + 9,
      contentHash: `hash-${next}`,
      length: 100,
      cosine: 0,
      termFrequencies: frequencies,
      cosineModel: undefined,
      tokenCount: tokens,
    },
    score: combined * priority,
    priority,
    source: { priority, isRepository: true, isStale: false, syncedAt: 0 },
    legs: { lexical: 0, semantic, combined },
  };
}
const chosen = (chunks: readonly Ranked[], limits: Partial<PassageLimits> = {}) =>
  choosePassages(chunks, STATISTICS, { ...LIMITS, ...limits });

describe('choosePassages', () => {
  it('takes the further passages of a right file, whatever the ranking took them back by', () => {
    const first = ranked({ path: 'a', combined: 0.9 });
    const third = { ...ranked({ path: 'a', combined: 0.8 }), score: 0.2 };
    const other = ranked({ path: 'b', combined: 0.7 });
    expect(chosen([first, other, third])).toEqual([first, third, other]);
  });

  it('prefers what a passage itself says: near in meaning, and with the rare terms of the question', () => {
    const plain = ranked({ path: 'a', combined: 0.5 });
    const near = ranked({ path: 'b', combined: 0.45, semantic: 0.5 });
    const rare = ranked({ path: 'c', combined: 0.45, frequencies: [1, 0] });
    const common = ranked({ path: 'd', combined: 0.45, frequencies: [0, 9] });
    expect(chosen([plain, near, common, rare])).toEqual([rare, near, common, plain]);
  });

  it('leaves out what is worth less than half of the best, though there is room', () => {
    const best = ranked({ path: 'a', combined: 0.8 });
    expect(chosen([best, ranked({ path: 'b', combined: 0.39 })])).toEqual([best]);
    const half = ranked({ path: 'b', combined: 0.4 });
    expect(chosen([best, half])).toEqual([best, half]);
  });

  it('takes passages of so many documents and no more, but of those as many as there is room for', () => {
    const a = [0.9, 0.6].map((combined) => ranked({ path: 'a', combined }));
    const b = [0.8, 0.5].map((combined) => ranked({ path: 'b', combined }));
    const c = ranked({ path: 'c', combined: 0.7 });
    expect(chosen([...a, ...b, c], { documents: 2 })).toEqual([a[0], b[0], a[1], b[1]]);
    expect(chosen([...a, ...b, c], { documents: 1 })).toEqual(a);
  });

  it('distinguishes files of the same path in two sources', () => {
    const one = ranked({ path: 'README.md', combined: 0.9 });
    const two = ranked({ path: 'README.md', combined: 0.8 });
    const elsewhere = { ...two, candidate: { ...two.candidate, sourceId: 'another' } };
    expect(chosen([one, elsewhere], { documents: 1 })).toEqual([one]);
  });

  it('passes over what the budget has no room for, and takes the best whatever it has', () => {
    const big = ranked({ path: 'a', combined: 0.9, tokens: 700 });
    const tooBig = ranked({ path: 'b', combined: 0.8, tokens: 400 });
    const small = ranked({ path: 'c', combined: 0.7, tokens: 300 });
    expect(chosen([big, tooBig, small], { tokens: 1_000 })).toEqual([big, small]);
    expect(chosen([big, small], { tokens: 500 })).toEqual([big]);
  });

  it('takes at most so many passages', () => {
    const chunks = [0.9, 0.8, 0.7].map((combined) => ranked({ path: 'a', combined }));
    expect(chosen(chunks, { passages: 2 })).toEqual(chunks.slice(0, 2));
  });

  it('counts by the priority of the source', () => {
    const doubted = ranked({ path: 'a', combined: 0.9, semantic: 0.9, priority: 0.5 });
    const trusted = ranked({ path: 'b', combined: 0.7, semantic: 0.7 });
    expect(chosen([trusted, doubted])).toEqual([trusted, doubted]);
  });

  it('keeps the order of the ranking among equals, and needs no terms', () => {
    const same = ['a', 'b', 'c'].map((path) => ranked({ path, combined: 0.5, frequencies: [] }));
    expect(choosePassages(same, { ...STATISTICS, documentFrequencies: [] }, LIMITS)).toEqual(same);
    expect(chosen([])).toEqual([]);
  });
});
