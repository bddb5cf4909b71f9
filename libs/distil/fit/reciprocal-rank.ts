import { dotProducts } from './matrix.js';
import { textVectors } from './text-vectors.js';
import type { TrainingPair } from './training-texts.js';

const BLOCK = 128;

/**
 * Returns the mean of 1 / rank of each question's own passage among all passages, by cosine; 0
 * without a pair.
 */
export function meanReciprocalRank(
  pairs: readonly TrainingPair[],
  rows: Float32Array,
  width: number,
): number {
  if (pairs.length === 0) return 0;
  const passages = textVectors(
    pairs.map(({ passage }) => passage),
    rows,
    width,
  ).vectors;
  const m = pairs.length;
  const similarities = new Float32Array(BLOCK * m);
  let sum = 0;
  for (let from = 0; from < m; from += BLOCK) {
    const block = pairs.slice(from, from + BLOCK).map(({ question }) => question);
    dotProducts(textVectors(block, rows, width).vectors, passages, similarities, {
      n: block.length,
      m,
      width,
    });
    for (let i = 0; i < block.length; i++) {
      const found = similarities.subarray(i * m, (i + 1) * m);
      const own = found[from + i] as number;
      let rank = 1;
      // Of two equal passages, either one is right.
      for (let j = 0; j < m; j++) if ((found[j] as number) > own + 1e-6) rank += 1;
      sum += 1 / rank;
    }
  }
  return sum / m;
}
