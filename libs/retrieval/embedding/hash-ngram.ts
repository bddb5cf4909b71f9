import { RowsOfTerms, type RowTable, type TermEmbedder } from './rows-of-terms.js';

/** Identity of plain word hashing; any change of its recipe or of the analyzer needs a new one. */
export const HASH_NGRAM_ID = 'hash-ngram-v1';
/** Its dimensions. */
export const HASH_NGRAM_DIMENSIONS = 512;
const HASHES_PER_FEATURE = 3;
const GRAM_SIZES = [3, 4, 5] as const;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 16777619;
const [PIECE, BEGIN, END] = [0x23, 0x3c, 0x3e];
/**
 * Bounds of the cached vectors and of their numbers: 12 MiB. At either bound all are removed, which
 * does not show.
 */
const MAX_KEPT_WORDS = 50_000;
const MAX_KEPT_VALUES = 2_097_152;

const logarithms = Float64Array.from({ length: 256 }, (_, frequency) =>
  frequency === 0 ? 0 : 1 + Math.log(frequency),
);

/** Returns the weight of a term by its frequency in a text: 1 + ln(frequency), for at most 255. */
export function frequencyWeight(frequency: number): number {
  return logarithms[frequency] as number;
}

/** A sparse vector of norm 1. */
export interface WordVector {
  readonly dimensions: Uint16Array;
  readonly values: Float32Array;
}

/** Word hashing into a number of dimensions. A row is the vector of a cached word. */
export interface TermHasher extends RowTable {
  /** Returns the vector of one term. */
  wordVector(term: string): WordVector;
  /** Adds a row to the first dimensions of `sum`, multiplied by its weight. */
  addRow(sum: Float32Array, row: number, weight: number): void;
  /** Adds the terms' vectors to the first dimensions of `sum`, each times 1 + ln(frequency). */
  addTo(sum: Float32Array, terms: readonly string[], frequencies: ArrayLike<number>): void;
}

/**
 * Hashes terms into dimensions. A pure function; the cache of word vectors does not show. @param
 * dimensions at most 65,536 @param maxKept most words whose vectors are cached
 */
export function createTermHasher(dimensions: number, maxKept = MAX_KEPT_WORDS): TermHasher {
  return new KeptWords(dimensions, maxKept);
}

/**
 * Word vectors one after the other: the vectors of one text's words are close together in memory.
 */
class KeptWords implements TermHasher {
  forgotten = 0;
  private readonly dense: Float64Array;
  private readonly rows = new Map<string, number>();
  /** Start of each row in the two arrays below, and of the next one. */
  private readonly starts: Uint32Array;
  private dimensions = new Uint16Array(4_096);
  private values = new Float32Array(4_096);

  constructor(
    dimensions: number,
    private readonly maxKept: number,
  ) {
    this.starts = new Uint32Array(maxKept + 1);
    this.dense = new Float64Array(dimensions);
  }

  wordVector(term: string): WordVector {
    const row = this.rowOf(term);
    const [from, to] = [this.starts[row], this.starts[row + 1]];
    return { dimensions: this.dimensions.slice(from, to), values: this.values.slice(from, to) };
  }

  rowOf(term: string): number {
    return this.rows.get(term) ?? this.keep(term);
  }

  addRow(sum: Float32Array, row: number, weight: number): void {
    const { dimensions, values } = this;
    const to = this.starts[row + 1] as number;
    for (let i = this.starts[row] as number; i < to; i++) {
      const at = dimensions[i] as number;
      sum[at] = (sum[at] as number) + weight * (values[i] as number);
    }
  }

  addTo(sum: Float32Array, terms: readonly string[], frequencies: ArrayLike<number>): void {
    for (let i = 0; i < terms.length; i++) {
      this.addRow(sum, this.rowOf(terms[i] as string), frequencyWeight(frequencies[i] as number));
    }
  }

  private keep(term: string): number {
    const { dense, rows, starts } = this;
    addFeatures(dense, term);
    let count = 0;
    let squares = 0;
    for (const value of dense) {
      if (value === 0) continue;
      count++;
      squares += value * value;
    }
    const norm = Math.sqrt(squares) || 1;
    if (rows.size === this.maxKept || (starts[rows.size] as number) + count > MAX_KEPT_VALUES)
      this.forget();
    const row = rows.size;
    let next = starts[row] as number;
    this.makeRoom(next + count);
    for (let at = 0; at < dense.length; at++) {
      const value = dense[at] as number;
      if (value === 0) continue;
      this.dimensions[next] = at;
      this.values[next++] = value / norm;
      dense[at] = 0;
    }
    starts[row + 1] = next;
    rows.set(term, row);
    return row;
  }

  private forget(): void {
    this.rows.clear();
    this.forgotten += 1;
  }

  private makeRoom(count: number): void {
    if (count <= this.values.length) return;
    const room = Math.max(count, 2 * this.values.length);
    const { dimensions, values } = this;
    this.dimensions = new Uint16Array(room);
    this.dimensions.set(dimensions);
    this.values = new Float32Array(room);
    this.values.set(values);
  }
}

const hasher = createTermHasher(HASH_NGRAM_DIMENSIONS);

/**
 * Hashes a term and its 3-, 4- and 5-character substrings (`<` and `>` mark the ends) into signed
 * dimensions. Words that share pieces have similar vectors; there is no training and no corpus in
 * it.
 */
export function wordVector(term: string): WordVector {
  return hasher.wordVector(term);
}

/**
 * Embeds a weighted term stream: the sum of the terms' vectors, each times 1 + ln(frequency), at
 * norm 1. No terms give the zero vector.
 */
export function embedTerms(terms: readonly string[], frequencies: ArrayLike<number>): Float32Array {
  const sum = new Float32Array(HASH_NGRAM_DIMENSIONS);
  hasher.addTo(sum, terms, frequencies);
  scaleTo(1, sum);
  return sum;
}

/** Returns the same function for many texts over one list of terms. */
export function hashEmbedder(terms: readonly string[]): TermEmbedder {
  const rows = new RowsOfTerms(hasher, terms);
  return (places, frequencies) => {
    const sum = new Float32Array(HASH_NGRAM_DIMENSIONS);
    for (let i = 0; i < places.length; i++) {
      hasher.addRow(sum, rows.at(places[i] as number), frequencyWeight(frequencies[i] as number));
    }
    scaleTo(1, sum);
    return sum;
  };
}

/**
 * Scales a vector to a norm, in place; the zero vector stays. @returns whether it had one before
 */
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

/** Adds the term itself, and each of its pieces with `#` before it. */
function addFeatures(dense: Float64Array, term: string): void {
  const marked = markedUnits(term);
  const weight = 1 / Math.sqrt(countPieces(marked.length, GRAM_SIZES));
  for (let j = 0; j < HASHES_PER_FEATURE; j++) {
    const begun = (j * 7919 + 1) ^ FNV_OFFSET;
    addFeature(dense, finished(hashedUnits(begun, marked, 1, marked.length - 1)), 1);
  }
  for (const size of GRAM_SIZES) {
    for (let at = 0; at + size <= marked.length; at++) {
      for (let j = 0; j < HASHES_PER_FEATURE; j++) {
        const begun = Math.imul((j * 7919 + 1) ^ FNV_OFFSET ^ PIECE, FNV_PRIME);
        addFeature(dense, finished(hashedUnits(begun, marked, at, at + size)), weight);
      }
    }
  }
}

function markedUnits(term: string): Uint16Array {
  const units = new Uint16Array(term.length + 2);
  units[0] = BEGIN;
  for (let i = 0; i < term.length; i++) units[i + 1] = term.charCodeAt(i);
  units[term.length + 1] = END;
  return units;
}

function addFeature(dense: Float64Array, hash: number, weight: number): void {
  const at = hash % dense.length;
  dense[at] = (dense[at] as number) + (hash & 0x10000 ? weight : -weight);
}

/**
 * Computes seeded FNV-1a over UTF-16 units with MurmurHash3's finalizer. @returns an unsigned
 * 32-bit integer.
 */
export function featureHash(text: string, seed: number): number {
  let x = seed ^ FNV_OFFSET;
  for (let i = 0; i < text.length; i++) x = Math.imul(x ^ text.charCodeAt(i), FNV_PRIME);
  return finished(x);
}

function hashedUnits(begun: number, units: Uint16Array, from: number, to: number): number {
  let x = begun;
  for (let i = from; i < to; i++) x = Math.imul(x ^ (units[i] as number), FNV_PRIME);
  return x;
}

function finished(hash: number): number {
  let x = hash;
  x ^= x >>> 15;
  x = Math.imul(x, 0x85ebca6b);
  x ^= x >>> 13;
  x = Math.imul(x, 0xc2b2ae35);
  x ^= x >>> 16;
  return x >>> 0;
}
