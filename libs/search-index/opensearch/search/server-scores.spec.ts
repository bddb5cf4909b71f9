import { describe, expect, it } from '@jest/globals';

import { seeded } from '#platform';
import { BM25_B, BM25_K1 } from '#retrieval';

import { highestRatio, roundedLength, type ScoredRow } from './server-scores.js';

const WEIGHTS = [4.2, 0.7, 2.5];
const AVERAGE = 180;
const SLOPE = (BM25_K1 * BM25_B) / AVERAGE;

/** Returns BM25 in single precision, as the server adds and returns it. */
function score(frequencies: readonly number[], length: number, slope: number): number {
  return frequencies.reduce((sum, frequency, at) => {
    const base = BM25_K1 * (1 - BM25_B) + slope * length;
    return Math.fround(sum + ((WEIGHTS[at] as number) * frequency) / (frequency + base));
  }, 0);
}

/** Returns rows as a shard with an average length of its own scores them. */
function rowsOf(average: number, count: number, seed = 5): ScoredRow[] {
  const random = seeded(seed);
  return Array.from({ length: count }, () => {
    const frequencies = WEIGHTS.map(() => Math.floor(random() * 4));
    const length = 1 + Math.floor(random() ** 3 * 6_000);
    const slope = (BM25_K1 * BM25_B) / average;
    return { frequencies, length, score: score(frequencies, roundedLength(length), slope) };
  });
}

describe('the server scores of rows', () => {
  it('use lengths of four significant bits above 24, never longer ones', () => {
    const lengths = [1, 24, 31, 32, 39, 40, 41, 42, 55, 56, 60, 100, 1_000];
    expect(lengths.map(roundedLength)).toEqual([
      ...[1, 24, 31, 32, 39, 40, 40, 42, 54, 56, 60, 96, 984],
    ]);
    for (let length = 1; length < 20_000; length += 7) {
      expect(roundedLength(length)).toBeLessThanOrEqual(length);
      expect(roundedLength(length)).toBeGreaterThan(length * 0.88);
    }
  });

  it.each([180, 300, 900])(
    'never lie below the exact ones if the shard has the average %i or a longer one',
    (average) => {
      expect(highestRatio(rowsOf(average, 300), { weights: WEIGHTS, slope: SLOPE })).toBeCloseTo(
        1,
        3,
      );
    },
  );

  it.each([20, 90, 150, 180, 400])(
    'bound the exact score of every row, returned or not (average %i)',
    (average) => {
      const exact = { weights: WEIGHTS, slope: SLOPE };
      const ratio = highestRatio(rowsOf(average, 50), exact) ?? 0;
      expect(ratio).toBeLessThan(Math.max(1, AVERAGE / average) * 1.001);
      for (const row of rowsOf(average, 5_000, 9)) {
        const frequencies = Array.from(row.frequencies);
        expect(score(frequencies, row.length, SLOPE)).toBeLessThanOrEqual(row.score * ratio);
      }
    },
  );

  it('bound nothing if they follow another formula', () => {
    const exact = { weights: WEIGHTS, slope: SLOPE };
    const others = rowsOf(180, 50).map((row) => ({ ...row, score: Math.sqrt(row.score) }));
    expect(highestRatio(others, exact)).toBeUndefined();
    const unrounded = rowsOf(180, 50).map((row) => ({
      ...row,
      score: score(Array.from(row.frequencies), row.length, SLOPE),
    }));
    expect(highestRatio(unrounded, exact)).toBeUndefined();
    expect(highestRatio([], exact)).toBeUndefined();
    expect(highestRatio([{ score: 0, length: 9, frequencies: [0, 0, 0] }], exact)).toBeUndefined();
  });
});
