import { describe, expect, it } from '@jest/globals';

import { candidate, OPTIONS } from '#test/support/rank-candidates';

import { analyzeQuery } from '../analysis/analyze-query.js';
import type { RankCandidate, RankedChunk } from '../ranking/rank.types.js';
import { WEIGHTS } from '../ranking/weights.js';
import { raiseSecondPassage } from './second-passage.js';

const SENTENCE = analyzeQuery('broken call waits longer before another attempt');

/** Returns a ranking of files with their scores. */
function ranking(...places: readonly (readonly [path: string, score: number])[]) {
  return places.map(([path, score]): RankedChunk<RankCandidate> => ({
    candidate: candidate({ path }),
    score,
    priority: 1,
    source: OPTIONS.sourceOf('source'),
    legs: { lexical: score, semantic: score, combined: score },
    contributions: [{ name: 'lexical', value: score }],
  }));
}

function raised(
  ranked: readonly RankedChunk<RankCandidate>[],
  query = SENTENCE,
): readonly string[] {
  return raiseSecondPassage(ranked, query).map(({ candidate: { path } }) => path);
}

describe('second passage of the first file', () => {
  it('moves up to the first place with a clearly lower score', () => {
    const ranked = ranking(['a', 1], ['b', 0.9], ['c', 0.7], ['d', 0.6], ['a', 0.5], ['e', 0.4]);
    expect(raised(ranked)).toEqual(['a', 'b', 'a', 'c', 'd', 'e']);
  });

  it('moves at exactly the share of the best score, and not above it', () => {
    const at = (score: number) => ranking(['a', 1], ['b', score], ['a', 0.1]);
    expect(raised(at(WEIGHTS.secondPassage))).toEqual(['a', 'a', 'b']);
    expect(raised(at(WEIGHTS.secondPassage + 0.001))).toEqual(['a', 'b', 'a']);
  });

  it('keeps the scores of the places and explains the difference', () => {
    const ranked = ranking(['a', 1], ['b', 0.7], ['c', 0.6], ['a', 0.5]);
    const list = raiseSecondPassage(ranked, SENTENCE);
    expect(list.map(({ score }) => score)).toEqual([1, 0.7, 0.6, 0.5]);
    const second = list[1]?.contributions;
    expect(second?.at(-1)?.name).toBe('passages');
    expect(second?.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(0.7, 9);
  });

  it('stays if the first results are nearly as good as the best one', () => {
    const near = Array.from({ length: WEIGHTS.secondPassagePlaces - 1 }, (_, at) => {
      return [`near-${at}`, 0.9] as const;
    });
    const ranked = ranking(['a', 1], ...near, ['b', 0.2], ['a', 0.1]);
    expect(raiseSecondPassage(ranked, SENTENCE)).toBe(ranked);
  });

  it('moves up to the last of the first results, not below', () => {
    const near = Array.from({ length: WEIGHTS.secondPassagePlaces - 2 }, (_, at) => {
      return [`near-${at}`, 0.9] as const;
    });
    const ranked = ranking(['a', 1], ...near, ['b', 0.2], ['a', 0.1]);
    expect(raised(ranked)[WEIGHTS.secondPassagePlaces - 1]).toBe('a');
  });

  it('stays if it is there already, or if the file has one passage', () => {
    const there = ranking(['a', 1], ['a', 0.7], ['b', 0.6], ['a', 0.5]);
    const one = ranking(['a', 1], ['b', 0.7]);
    expect(raiseSecondPassage(there, SENTENCE)).toBe(there);
    expect(raiseSecondPassage(one, SENTENCE)).toBe(one);
    expect(raiseSecondPassage([], SENTENCE)).toEqual([]);
  });

  it('takes a file of the same path in another source for another file', () => {
    const ranked = ranking(['a', 1], ['b', 0.7]);
    const other = {
      ...ranked[1],
      candidate: candidate({ path: 'a', sourceId: 'other' }),
      score: 0.5,
    } as RankedChunk<RankCandidate>;
    expect(raised([...ranked, other])).toEqual(['a', 'b', 'a']);
  });

  it('leaves queries of a few words as they are', () => {
    const ranked = ranking(['a', 1], ['b', 0.7], ['a', 0.5]);
    expect(raiseSecondPassage(ranked, analyzeQuery('broken call'))).toBe(ranked);
  });
});
