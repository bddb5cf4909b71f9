import { normalizeRows } from './matrix.js';
import type { SparseAdam } from './sparse-adam.js';
import type { TrainingText } from './training-texts.js';

/** Texts as vectors of norm 1: the weighted sums of the rows of their terms. */
export interface TextVectors {
  readonly texts: readonly TrainingText[];
  /** Row after row. */
  readonly vectors: Float32Array;
  /** Norms of the sums. */
  readonly norms: Float32Array;
}

export function textVectors(
  texts: readonly TrainingText[],
  rows: Float32Array,
  width: number,
): TextVectors {
  const vectors = new Float32Array(texts.length * width);
  texts.forEach((text, at) => {
    const to = at * width;
    for (let i = 0; i < text.rows.length; i++) {
      const from = (text.rows[i] as number) * width;
      const weight = text.weights[i] as number;
      for (let k = 0; k < width; k++)
        vectors[to + k] = (vectors[to + k] as number) + weight * (rows[from + k] as number);
    }
  });
  return { texts, vectors, norms: normalizeRows(vectors, width) };
}

/** Propagates the gradient of the texts' vectors to the rows of their terms. */
export function passSlopesOn(
  of: TextVectors,
  slopes: Float32Array,
  to: SparseAdam,
  width: number,
): void {
  const slope = new Float32Array(width);
  of.texts.forEach((text, at) => {
    const norm = of.norms[at] as number;
    if (norm === 0) return;
    const from = at * width;
    // The part along the vector changes only its norm, which is always 1.
    let along = 0;
    for (let k = 0; k < width; k++)
      along += (slopes[from + k] as number) * (of.vectors[from + k] as number);
    for (let k = 0; k < width; k++) {
      slope[k] = ((slopes[from + k] as number) - along * (of.vectors[from + k] as number)) / norm;
    }
    for (let i = 0; i < text.rows.length; i++)
      to.add(text.rows[i] as number, text.weights[i] as number, slope);
  });
}
