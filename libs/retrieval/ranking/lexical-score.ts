import type { CorpusStatistics } from './rank.types.js';
import { WEIGHTS } from './weights.js';

export const BM25_K1 = WEIGHTS.termSaturation;
export const BM25_B = WEIGHTS.lengthNormalization;

/** Returns the weight of a term that `documentFrequency` of `chunks` chunks have. */
export function inverseDocumentFrequency(chunks: number, documentFrequency: number): number {
  return Math.log(1 + (chunks - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

/** Returns the weight of each term of a query, in the query's order, and their total. */
export function termWeights({ chunks, documentFrequencies }: CorpusStatistics): {
  readonly weights: readonly number[];
  readonly total: number;
} {
  const weights = documentFrequencies.map((frequency) =>
    inverseDocumentFrequency(chunks, frequency),
  );
  return { weights, total: weights.reduce((sum, weight) => sum + weight, 0) };
}

/**
 * Returns the share of a query's terms, by their weights, that `has` accepts; 0 for a query without
 * terms.
 */
export function coveredShare(
  { weights, total }: ReturnType<typeof termWeights>,
  has: (term: number) => boolean,
): number {
  return total === 0
    ? 0
    : weights.reduce((sum, weight, term) => (has(term) ? sum + weight : sum), 0) / total;
}

/**
 * Computes BM25 as a share of a perfect match: 0 with no query term, towards 1 with all of them,
 * often, in a short chunk. The returned function scores one candidate by its length and its term
 * frequencies: those of an array, or `count` of them from an index on.
 */
export function lexicalScorer(
  statistics: CorpusStatistics,
): (frequencies: ArrayLike<number>, length: number, from?: number, count?: number) => number {
  const { weights, total } = termWeights(statistics);
  const averageLength = statistics.averageLength || 1;
  return (frequencies, length, from = 0, count = frequencies.length) => {
    if (total === 0) return 0;
    const known = Math.min(weights.length, count);
    const saturation = BM25_K1 * (1 - BM25_B + (BM25_B * length) / averageLength);
    let sum = 0;
    for (let i = 0; i < known; i++) {
      const tf = frequencies[from + i] as number;
      if (tf > 0) sum += ((weights[i] as number) * tf) / (tf + saturation);
    }
    return sum / total;
  };
}
