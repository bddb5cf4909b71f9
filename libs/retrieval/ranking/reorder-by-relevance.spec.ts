import { describe, expect, it } from '@jest/globals';

import { candidate } from '#test/support/rank-candidates';

import type { RankCandidate, RankedChunk } from './rank.types.js';
import { reorderByRelevance, toRerank } from './reorder-by-relevance.js';

const SOURCE = { priority: 1, isRepository: true, isStale: false, syncedAt: 0 };

function ranked(count: number, priorityOf: (at: number) => number = () => 1) {
  return Array.from({ length: count }, (_, at): RankedChunk<RankCandidate> => {
    const score = 0.9 - at / 200;
    return {
      candidate: candidate({ chunkId: `c${at}` }),
      score,
      priority: priorityOf(at),
      source: SOURCE,
      legs: { lexical: score, semantic: score, combined: score },
      contributions: [{ name: 'lexical', value: score }],
    };
  });
}

const ids = (list: readonly RankedChunk<RankCandidate>[]) =>
  list.map(({ candidate: { chunkId } }) => chunkId);

describe('reorderByRelevance', () => {
  it('takes the order of the reranker, and leaves the scores at their places', () => {
    const before = ranked(4);
    const after = reorderByRelevance(before, ['c2', 'c0', 'c3', 'c1']);
    expect(ids(after)).toEqual(['c2', 'c0', 'c3', 'c1']);
    expect(after.map(({ score }) => score)).toEqual(before.map(({ score }) => score));
  });

  it('explains the difference of each score', () => {
    for (const { score, contributions = [] } of reorderByRelevance(ranked(3), ['c2', 'c1', 'c0']))
      expect(contributions.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(score, 12);
    const [first] = reorderByRelevance(ranked(3), ['c2', 'c1', 'c0']);
    expect(first?.contributions?.at(-1)?.name).toBe('reranker');
  });

  it('moves the first 50 alone', () => {
    const before = ranked(60);
    expect(ids(toRerank(before))).toHaveLength(50);
    const order = ids(toRerank(before)).reverse();
    const after = ids(reorderByRelevance(before, order));
    expect(after.slice(0, 50)).toEqual(order);
    expect(after.slice(50)).toEqual(ids(before).slice(50));
  });

  it('puts chunks that the reranker did not read behind those that it read', () => {
    expect(ids(reorderByRelevance(ranked(4), ['c3', 'gone', 'c1']))).toEqual([
      'c3',
      'c1',
      'c0',
      'c2',
    ]);
  });

  it('lowers a source of lower priority', () => {
    const before = ranked(4, (at) => (at === 3 ? 0.5 : 2));
    expect(ids(reorderByRelevance(before, ['c3', 'c2', 'c1', 'c0']))).toEqual([
      'c2',
      'c1',
      'c0',
      'c3',
    ]);
  });
});
