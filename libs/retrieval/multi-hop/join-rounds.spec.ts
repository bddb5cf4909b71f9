import { describe, expect, it } from '@jest/globals';

import type { RankCandidate, RankedChunk } from '../ranking/rank.types.js';
import { joinRounds } from './join-rounds.js';

function chunk(chunkId: string, combined: number, priority = 1, contentHash = chunkId): RankedChunk<RankCandidate> {
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
  return { candidate, score: combined * priority, priority, legs: { lexical: 0, semantic: 0, combined } };
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
