import { featureHash } from './feature-hash.js';

/** Dimensions of `hash-ngram-v1`. */
export const HASH_NGRAM_DIMENSIONS = 512;
const HASHES_PER_FEATURE = 3;
const GRAM_SIZES = [3, 4, 5] as const;

/** A sparse vector of norm 1. */
export interface WordVector {
  readonly dimensions: Uint16Array;
  readonly values: Float32Array;
}

const dense = new Float64Array(HASH_NGRAM_DIMENSIONS);

/**
 * Hashes a term and its 3-, 4- and 5-character substrings (`<` and `>` mark the ends) into signed dimensions. Words that
 * share pieces come out close; there is no training and no corpus in it.
 */
export function wordVector(term: string): WordVector {
  addFeature(term, 1);
  const marked = `<${term}>`;
  let grams = 0;
  for (const size of GRAM_SIZES) grams += Math.max(0, marked.length - size + 1);
  const weight = 1 / Math.sqrt(grams);
  for (const size of GRAM_SIZES) {
    for (let at = 0; at + size <= marked.length; at++) addFeature(`#${marked.slice(at, at + size)}`, weight);
  }
  return drain();
}

function addFeature(feature: string, weight: number): void {
  for (let j = 0; j < HASHES_PER_FEATURE; j++) {
    const hash = featureHash(feature, j * 7919 + 1);
    const at = hash % HASH_NGRAM_DIMENSIONS;
    dense[at] = (dense[at] as number) + (hash & 0x10000 ? weight : -weight);
  }
}

/** Takes the accumulated vector, normalised, and leaves the accumulator at zero. */
function drain(): WordVector {
  let count = 0;
  let squares = 0;
  for (const value of dense) {
    if (value === 0) continue;
    count++;
    squares += value * value;
  }
  const norm = Math.sqrt(squares) || 1;
  const dimensions = new Uint16Array(count);
  const values = new Float32Array(count);
  for (let at = 0, next = 0; at < HASH_NGRAM_DIMENSIONS; at++) {
    const value = dense[at] as number;
    if (value === 0) continue;
    dimensions[next] = at;
    values[next++] = value / norm;
    dense[at] = 0;
  }
  return { dimensions, values };
}
