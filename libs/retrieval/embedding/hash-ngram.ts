import { remember } from '../bounded-cache.js';

/** Identity of the default model; any change of its recipe or of the analyzer needs a new one. */
export const HASH_NGRAM_ID = 'hash-ngram-v1';
/** Its dimensions. */
export const HASH_NGRAM_DIMENSIONS = 512;
const HASHES_PER_FEATURE = 3;
const GRAM_SIZES = [3, 4, 5] as const;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 16777619;
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

/** Seeded FNV-1a over UTF-16 units with MurmurHash3's finaliser. @returns an unsigned 32-bit integer. */
export function featureHash(text: string, seed: number): number {
  let x = seed ^ FNV_OFFSET;
  for (let i = 0; i < text.length; i++) x = Math.imul(x ^ text.charCodeAt(i), FNV_PRIME);
  x ^= x >>> 15;
  x = Math.imul(x, 0x85ebca6b);
  x ^= x >>> 13;
  x = Math.imul(x, 0xc2b2ae35);
  x ^= x >>> 16;
  return x >>> 0;
}
