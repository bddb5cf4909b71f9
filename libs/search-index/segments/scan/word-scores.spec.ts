import { describe, expect, it } from '@jest/globals';

import type { SearchedSegment } from './searched-view.js';
import { type TermWeight, WordScores } from './word-scores.js';

/** More chunks than are computed in place, and postings of more than one block. */
const CHUNKS = 20_001;

/** Returns whole numbers below an end, the same in each run. */
function numbers(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % end;
  };
}

/** A segment whose terms have every chunk, every second one, every third one, and so on. */
function segmentOf(chunks: number, terms: number, below: (end: number) => number) {
  const lists = Array.from({ length: terms }, (_, term) =>
    Array.from({ length: chunks }, (__, chunk) => chunk).filter(
      (chunk) => chunk % (term + 1) === 0,
    ),
  );
  const postingChunks = Uint32Array.from(lists.flat());
  const tables = {
    chunkCount: chunks,
    postingChunks,
    postingFrequencies: Uint8Array.from(postingChunks, () => 1 + below(255)),
    lengths: Uint32Array.from({ length: chunks }, () => 1 + below(90_000)),
  };
  let from = 0;
  const ranges = lists.map(({ length }) => ({ from, to: (from += length) }));
  return { tables, ranges, segment: { tables } as unknown as SearchedSegment };
}

const weightOf = (term: number): TermWeight => ({
  idf: Math.log(1 + 1 / (term + 0.37)),
  base: 0.3,
  slope: 0.9 / 731.25,
});

describe.each([CHUNKS, 100])('the scores of a segment of %s chunks', (chunks) => {
  const { tables, ranges, segment } = segmentOf(chunks, 5, numbers(chunks));
  const expected = new Float32Array(chunks);
  ranges.forEach(({ from, to }, term) => {
    const { idf, base, slope } = weightOf(term);
    for (let at = from; at < to; at += 1) {
      const chunk = tables.postingChunks[at] as number;
      const frequency = tables.postingFrequencies[at] as number;
      const length = tables.lengths[chunk] as number;
      expected[chunk] =
        (expected[chunk] as number) + (idf * frequency) / (frequency + base + slope * length);
    }
  });
  const all = Array.from(expected, (_, chunk) => chunk);
  const scores = new WordScores();

  function addAll(): void {
    scores.begin(segment);
    ranges.forEach((range, term) => scores.add(range, weightOf(term)));
  }

  /** Returns the chunks whose score reaches a value, ascending. */
  function reaching(least: number): readonly number[] {
    const found: number[] = [];
    for (let from = 0; from < scores.count; from += WordScores.STEP)
      found.push(...scores.reaching(from, Math.min(scores.count, from + WordScores.STEP), least));
    return found.sort((a, b) => a - b);
  }

  it('are the sums of the shares, to the bit, also a second time', () => {
    for (let round = 0; round < 2; round += 1) {
      addAll();
      expect(scores.count).toBe(chunks);
      expect(reaching(-Infinity)).toEqual(all);
      expect(all.map((chunk) => scores.scoreOf(chunk))).toEqual([...expected]);
      scores.end();
      expect(scores.count).toBe(0);
      expect(all.every((chunk) => scores.scoreOf(chunk) === 0)).toBe(true);
    }
  });

  it('are found from a value on, equal ones included', () => {
    addAll();
    const least = [...expected].sort((a, b) => b - a)[Math.floor(chunks / 10)] as number;
    expect(reaching(least)).toEqual(all.filter((chunk) => (expected[chunk] as number) >= least));
    const to = Math.min(chunks, WordScores.STEP);
    expect(scores.reaching(0, to, -Infinity)).toHaveLength(to);
    expect(scores.reaching(0, 0, -Infinity)).toHaveLength(0);
    scores.end();
  });

  it('count a chunk of several terms once', () => {
    scores.begin(segment);
    const [first, second] = [ranges[2], ranges[4]];
    if (!first || !second) throw new Error('a term is missing');
    scores.add(first, weightOf(2));
    scores.add(second, weightOf(4));
    expect(scores.count).toBe(all.filter((chunk) => chunk % 3 === 0 || chunk % 5 === 0).length);
    scores.end();
  });
});

it('do not mix segments', () => {
  const scores = new WordScores();
  const large = segmentOf(CHUNKS, 1, numbers(1));
  const other = segmentOf(CHUNKS - 1, 1, numbers(2));
  const read = ({ segment, ranges: [range] }: typeof large): number => {
    scores.begin(segment);
    if (range) scores.add(range, weightOf(0));
    const score = scores.scoreOf(7);
    scores.end();
    return score;
  };
  const [first, second] = [read(large), read(other)];
  expect(first).not.toBe(second);
  expect([read(large), read(other), read(large)]).toEqual([first, second, first]);
});
