import { remember } from '../bounded-cache.js';

/** Identity of plain word hashing; any change of its recipe or of the analyzer needs a new one. */
export const HASH_NGRAM_ID = 'hash-ngram-v1';
/** Its dimensions. */
export const HASH_NGRAM_DIMENSIONS = 512;
const HASHES_PER_FEATURE = 3;
const GRAM_SIZES = [3, 4, 5] as const;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 16777619;
const MAX_CACHED_WORDS = 50_000;

const logarithms = Float64Array.from({ length: 256 }, (_, frequency) =>
  frequency === 0 ? 0 : 1 + Math.log(frequency),
);

/** What a term counts that a text has so often: 1 + ln(frequency), for at most 255. */
export function frequencyWeight(frequency: number): number {
  return logarithms[frequency] as number;
}

/** A sparse vector of norm 1. */
export interface WordVector {
  readonly dimensions: Uint16Array;
  readonly values: Float32Array;
}

/** Word hashing into so many dimensions. */
export interface TermHasher {
  /** The vector of one term. */
  wordVector(term: string): WordVector;
  /** Adds the terms' vectors up in the first dimensions of `sum`, each times 1 + ln(frequency). */
  addTo(sum: Float32Array, terms: readonly string[], frequencies: ArrayLike<number>): void;
}

/**
 * Hashes terms into dimensions. A pure function; the cache of word vectors is bounded and does not show.
 * @param dimensions at most 65,536
 */
export function createTermHasher(dimensions: number): TermHasher {
  const dense = new Float64Array(dimensions);
  const cached = remember(wordVector, MAX_CACHED_WORDS);

  function wordVector(term: string): WordVector {
    addFeature(dense, term, 1);
    const marked = `<${term}>`;
    const weight = 1 / Math.sqrt(countPieces(marked.length, GRAM_SIZES));
    for (const size of GRAM_SIZES) {
      for (let at = 0; at + size <= marked.length; at++) addFeature(dense, `#${marked.slice(at, at + size)}`, weight);
    }
    return drain(dense);
  }

  return {
    wordVector,
    addTo(sum, terms, frequencies) {
      for (let i = 0; i < terms.length; i++) {
        const { dimensions: places, values } = cached(terms[i] as string);
        const weight = frequencyWeight(frequencies[i] as number);
        for (let j = 0; j < places.length; j++) {
          const at = places[j] as number;
          sum[at] = (sum[at] as number) + weight * (values[j] as number);
        }
      }
    },
  };
}

const hasher = createTermHasher(HASH_NGRAM_DIMENSIONS);

/**
 * Hashes a term and its 3-, 4- and 5-character substrings (`<` and `>` mark the ends) into signed dimensions. Words that
 * share pieces come out close; there is no training and no corpus in it.
 */
export function wordVector(term: string): WordVector {
  return hasher.wordVector(term);
}

/**
 * Embeds a weighted term stream: the sum of the terms' vectors, each times 1 + ln(frequency), at norm 1. No terms give the
 * zero vector.
 */
export function embedTerms(terms: readonly string[], frequencies: ArrayLike<number>): Float32Array {
  const sum = new Float32Array(HASH_NGRAM_DIMENSIONS);
  hasher.addTo(sum, terms, frequencies);
  scaleTo(1, sum);
  return sum;
}

/** Gives a vector a norm, in place; the zero vector stays. @returns whether it had one before */
export function scaleTo(norm: number, vector: Float32Array): boolean {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += (vector[i] as number) ** 2;
  if (squares === 0) return false;
  const scale = norm / Math.sqrt(squares);
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] as number) * scale;
  return true;
}

function countPieces(length: number, sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + Math.max(0, length - size + 1), 0);
}

function addFeature(dense: Float64Array, feature: string, weight: number): void {
  for (let j = 0; j < HASHES_PER_FEATURE; j++) {
    const hash = featureHash(feature, j * 7919 + 1);
    const at = hash % dense.length;
    dense[at] = (dense[at] as number) + (hash & 0x10000 ? weight : -weight);
  }
}

/** Takes the accumulated vector, normalised, and leaves the accumulator at zero. */
function drain(dense: Float64Array): WordVector {
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
  for (let at = 0, next = 0; at < dense.length; at++) {
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
