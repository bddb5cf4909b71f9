import { describe, expect, it } from '@jest/globals';

import { featureHash } from './hash-ngram.js';
import { RowSums } from './row-sums.js';

/** Returns numbers that look random and are the same each time. */
const noise = (at: number, seed: number): number => featureHash(String(at), seed);

describe('sums of rows', () => {
  it.each([16, 48, 256])(
    'of %d dimensions are those of single numbers, bit for bit',
    (dimensions) => {
      const count = 5;
      const sums = new RowSums(dimensions, count);
      sums.rows.forEach((_, at) => (sums.rows[at] = (noise(at, 1) & 0xff) - 128));
      const twin = { text: new Float32Array(dimensions), term: new Float32Array(dimensions) };
      const add = (sum: Float32Array, row: number, weight: number): void => {
        for (let i = 0; i < dimensions; i++) {
          const product = Math.fround(
            Math.fround(weight) * (sums.rows[row * dimensions + i] as number),
          );
          sum[i] = (sum[i] as number) + product;
        }
      };
      for (let nth = 0; nth < 40; nth++) {
        const row = noise(nth, 2) % count;
        const weight = (noise(nth, 3) - 2 ** 31) / 2 ** 34;
        if (nth % 3 === 0) sums.addToTerm(row, weight);
        else sums.addToText(row, weight);
        add(nth % 3 === 0 ? twin.term : twin.text, row, weight);
      }
      expect(sums.text).toEqual(twin.text);
      expect(sums.term).toEqual(twin.term);
    },
  );
});
