import { remember } from '../bounded-cache.js';
import { HASH_NGRAM_DIMENSIONS, wordVector } from './word-vector.js';

/** Identity of the default model; any change of its recipe or of the analyzer needs a new one. */
export const HASH_NGRAM_ID = 'hash-ngram-v1';

const MAX_CACHED_WORDS = 50_000;
const cachedWordVector = remember(wordVector, MAX_CACHED_WORDS);
const logarithms = Float64Array.from({ length: 256 }, (_, frequency) =>
  frequency === 0 ? 0 : 1 + Math.log(frequency),
);

/**
 * Embeds a weighted term stream: the sum of the terms' vectors, each times 1 + ln(frequency), at norm 1. No terms give the
 * zero vector. A pure function; the cache of word vectors is bounded and does not show.
 */
export function embedTerms(terms: readonly string[], frequencies: ArrayLike<number>): Float32Array {
  const sum = new Float32Array(HASH_NGRAM_DIMENSIONS);
  for (let i = 0; i < terms.length; i++) {
    const { dimensions, values } = cachedWordVector(terms[i] as string);
    const weight = logarithms[frequencies[i] as number] as number;
    for (let j = 0; j < dimensions.length; j++) {
      const at = dimensions[j] as number;
      sum[at] = (sum[at] as number) + weight * (values[j] as number);
    }
  }
  return normalise(sum);
}

function normalise(vector: Float32Array): Float32Array {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += (vector[i] as number) ** 2;
  if (squares === 0) return vector;
  const scale = 1 / Math.sqrt(squares);
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] as number) * scale;
  return vector;
}
