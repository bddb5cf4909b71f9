import type { SimilarityRange } from '#retrieval';

import type { Embedder } from '../embedder.port.js';
import { CALIBRATION_PAIRS, type CalibrationPair } from './calibration-pairs.js';

/** Cosines of an embedding model between questions and passages: 10th, 50th and 90th percentile. */
export interface MeasuredSimilarity {
  readonly unrelated: readonly [number, number, number];
  readonly related: readonly [number, number, number];
  /** 90 % of unrelated pairs are at `low` or below, 10 % of related ones at `high` or above. */
  readonly range: SimilarityRange;
}

/** A model with a smaller distance does not distinguish texts. */
const MIN_SPREAD = 0.05;

/**
 * Measures a model's cosines for related and unrelated pairs.
 * @throws Error if the model does not distinguish them; errors of the model.
 */
export async function measureSimilarity(
  embedder: Embedder,
  pairs: readonly CalibrationPair[] = CALIBRATION_PAIRS,
): Promise<MeasuredSimilarity> {
  const inputs = pairs.map(({ path, passage }) => ({ path, defs: [], content: passage }));
  const passages = await embedder.embedPassages(inputs);
  const questions = await Promise.all(pairs.map(({ question }) => embedder.embedQuery(question)));
  const related: number[] = [];
  const unrelated: number[] = [];
  questions.forEach((question, asked) =>
    passages.forEach((passage, at) =>
      (asked === at ? related : unrelated).push(cosine(question, passage)),
    ),
  );
  const measured = { related: spread(related), unrelated: spread(unrelated) };
  const range = { low: measured.unrelated[2], high: measured.related[2] };
  if (!(range.high - range.low >= MIN_SPREAD)) {
    throw new Error(
      `The model does not distinguish related texts (${measured.related.join(', ')}) from unrelated ones ` +
        `(${measured.unrelated.join(', ')}); check its prefixes`,
    );
  }
  return { ...measured, range };
}

function spread(values: readonly number[]): [number, number, number] {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    Math.round((sorted[Math.round(share * (sorted.length - 1))] ?? NaN) * 1_000) / 1_000;
  return [at(0.1), at(0.5), at(0.9)];
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}
