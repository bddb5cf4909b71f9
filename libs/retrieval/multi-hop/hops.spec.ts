import { describe, expect, it } from '@jest/globals';

import { analyzeQuery } from '../analysis/analyze-query.js';
import type { RankCandidate, RankedChunk } from '../ranking/rank.types.js';
import { chooseHopTerms, hopWords, joinRounds } from './hops.js';

const ORIGIN = {
  content:
    'def open_session(self, request):\n    return SigningSerializer(request.key, 42).loads(request.cookie)',
  symbol: 'SessionInterface.open_session',
  defs: ['open_session'],
};

describe('words that a hop adds', () => {
  const words = hopWords(ORIGIN, analyzeQuery('how is the cookie of a request read'));

  it('are of the origin and not of the query, without stop words, numbers and short words; names are known as such', () => {
    const found = words.map(({ word }) => word);
    expect(found).toEqual(
      expect.arrayContaining(['SessionInterface', 'open_session', 'SigningSerializer', 'loads']),
    );
    for (const word of ['request', 'cookie', 'return', '42']) expect(found).not.toContain(word);
    expect(words.find(({ word }) => word === 'open_session')).toMatchObject({
      isName: true,
      count: 3,
    });
    expect(words.find(({ word }) => word === 'SigningSerializer')).toMatchObject({
      isName: false,
      count: 1,
    });
  });

  const chosen = (frequency: (word: string) => number, chunks = 1_000) =>
    chooseHopTerms(words, {
      chunks,
      documentFrequencies: words.map(({ word }) => frequency(word)),
    });

  it('are the rare ones first, and none that only the origin has', () => {
    const frequencies: Record<string, number> = {
      open_session: 1,
      SigningSerializer: 3,
      loads: 40,
    };
    const best = chosen((word) => frequencies[word] ?? 900);
    expect(best.slice(0, 2)).toEqual(['SigningSerializer', 'loads']);
    expect(best).not.toContain('open_session');
    expect(chosen(() => 1)).toEqual([]);
  });

  it('prefer names, are at most five, and the same for the same input', () => {
    expect(chosen(() => 10)[0]).toBe('open_session');
    const many = {
      ...ORIGIN,
      content: Array.from({ length: 5_000 }, (_, at) => `word${at}x`).join(' '),
    };
    const bounded = hopWords(many, analyzeQuery('x'));
    expect(bounded).toHaveLength(128);
    const terms = chooseHopTerms(bounded, {
      chunks: 100,
      documentFrequencies: bounded.map(() => 2),
    });
    expect(terms).toHaveLength(5);
    expect(
      chooseHopTerms(bounded, { chunks: 100, documentFrequencies: bounded.map(() => 2) }),
    ).toEqual(terms);
  });
});

function chunk(
  chunkId: string,
  combined: number,
  priority = 1,
  contentHash = chunkId,
): RankedChunk<RankCandidate> {
  const candidate: RankCandidate = {
    chunkId,
    sourceId: 's',
    path: `${chunkId}.ts`,
    defines: () => false,
    chunkType: 'code',
    startLine: 1,
    endLine: 2,
    contentHash,
    termFrequencies: [1],
    length: 1,
    cosine: 0,
    cosineModel: undefined,
  };
  const source = { priority, isRepository: true, isStale: false, syncedAt: 0 };
  return {
    candidate,
    score: combined * priority,
    priority,
    source,
    legs: { lexical: 0, semantic: 0, combined },
  };
}

describe('the joined rounds', () => {
  const origin = chunk('a', 0.5);
  const scores = (joined: readonly RankedChunk<RankCandidate>[]) =>
    joined.map(({ candidate, score }) => [candidate.chunkId, score]);

  it('scale what the hop found by its origin, keep the better of two scores and the order of ranks', () => {
    const found = [origin, chunk('b', 0.4), chunk('c', 0.1)];
    const hop = [chunk('a', 0.9), chunk('c', 0.6), chunk('b', 0.6), chunk('d', 0.4)];
    expect(scores(joinRounds(found, hop, origin))).toEqual([
      ['a', 0.5],
      ['b', 0.4],
      ['c', 0.3],
      ['d', 0.2],
    ]);
  });

  it('scale again where a hop starts from what a hop found', () => {
    const [, second] = joinRounds([origin], [chunk('b', 0.8)], origin);
    expect(second?.legs.combined).toBeCloseTo(0.4);
    const third = joinRounds([origin], [chunk('c', 0.5)], second as RankedChunk<RankCandidate>)[1];
    expect(third?.score).toBeCloseTo(0.2);
  });

  it('keep the priority of each source and show equal content once', () => {
    const joined = joinRounds([origin], [chunk('b', 0.6, 2), chunk('copy', 0.3, 1, 'a')], origin);
    expect(scores(joined)).toEqual([
      ['b', 0.6],
      ['a', 0.5],
    ]);
  });
});
