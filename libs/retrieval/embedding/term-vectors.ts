import { frequencyWeight } from './hash-ngram.js';
import { quantize } from './quantize.js';
import { RowSums } from './row-sums.js';
import type { RowTable } from './rows-of-terms.js';

/** Vectors of index terms and of pieces of words, one row each, as in a model file. */
export interface TermVectorTables {
  /** A multiple of 16. */
  readonly dimensions: number;
  /**
   * UTF-16 units of the keys, one key after the other. A key that begins with `#` is a piece, any
   * other an index term.
   */
  readonly keys: Uint16Array;
  /** End of each key in `keys`. */
  readonly ends: Uint32Array;
  /** One a row: `vector ≈ row × scale`. */
  readonly scales: Float32Array;
  /** Row after row, `dimensions` each. */
  readonly rows: Int8Array;
  /** Lengths of the pieces, in UTF-16 units, without their `#`. */
  readonly pieceSizes: readonly number[];
}

/**
 * Bound of the cached rows that are composed of pieces: 4 MiB at 256 dimensions. At the bound all
 * are removed, which does not show.
 */
const MAX_COMPOSED = 16_384;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 16777619;
const [PIECE, BEGIN, END] = [0x23, 0x3c, 0x3e];

/**
 * Looks up terms and adds their vectors. A term without a row has the mean of the rows of its
 * pieces (`<` and `>` mark its ends), if any of them has one. A known term needs no allocation.
 */
export class TermVectors implements RowTable {
  /** Number of times that composed rows were forgotten. */
  forgotten = 0;
  private readonly keys: Uint16Array;
  private readonly ends: Uint32Array;
  /** Scales of the rows of keys, then of composed rows. */
  private readonly scales: Float32Array;
  private readonly sums: RowSums;
  private readonly pieceSizes: readonly number[];
  private readonly slots: Int32Array;
  private readonly mask: number;
  /** Composed row of each unknown term, −1 for a term without one. */
  private readonly composed = new Map<string, number>();
  private nextComposed: number;

  /**
   * Copies the needed parts of the tables. @param maxComposed most unknown terms that are cached
   */
  constructor(
    { dimensions, keys, ends, scales, rows, pieceSizes }: TermVectorTables,
    private readonly maxComposed: number = MAX_COMPOSED,
  ) {
    const count = ends.length;
    this.keys = keys.slice();
    this.ends = ends.slice();
    this.scales = new Float32Array(count + maxComposed);
    this.scales.set(scales);
    this.sums = new RowSums(dimensions, count + maxComposed);
    this.sums.rows.set(rows);
    this.pieceSizes = pieceSizes;
    this.nextComposed = count;
    let size = 2;
    while (size < count * 2) size *= 2;
    this.slots = new Int32Array(size).fill(-1);
    this.mask = size - 1;
    for (let row = 0, from = 0; row < count; row++) {
      const to = ends[row] as number;
      let slot = hashOfUnits(keys, from, to) & this.mask;
      while (this.slots[slot] !== -1) slot = (slot + 1) & this.mask;
      this.slots[slot] = row;
      from = to;
    }
  }

  /** Returns whether a key, a term or `#` and a piece, has a row of its own. */
  has(key: string): boolean {
    return this.ownRow(key) !== -1;
  }

  /**
   * Looks up a term. @returns the current row of the term, its own or one of its pieces; −1 when
   * none of its pieces is known
   */
  rowOf(term: string): number {
    const row = this.ownRow(term);
    return row === -1 ? (this.composed.get(term) ?? this.compose(term)) : row;
  }

  /** Starts a new sum. */
  clear(): void {
    this.sums.text.fill(0);
  }

  /** Adds the vector of a term's row to the sum, multiplied by its weight. */
  addRow(row: number, weight: number): void {
    this.sums.addToText(row, weight * (this.scales[row] as number));
  }

  copySumTo(sum: Float32Array): void {
    sum.set(this.sums.text);
  }

  /**
   * Writes the sum of the terms' vectors, each times 1 + ln(frequency), into `sum`; zero where no
   * term is known.
   */
  sumInto(sum: Float32Array, terms: readonly string[], frequencies: ArrayLike<number>): void {
    this.clear();
    for (let i = 0; i < terms.length; i++) {
      const row = this.rowOf(terms[i] as string);
      if (row !== -1) this.addRow(row, frequencyWeight(frequencies[i] as number));
    }
    this.copySumTo(sum);
  }

  /** Composes a row of pieces. @returns the row of the term; −1 when none of its pieces is known */
  private compose(term: string): number {
    const { sums, scales, composed } = this;
    sums.term.fill(0);
    let known = 0;
    const marked = this.marked(term);
    for (const size of this.pieceSizes) {
      for (let at = 0; at + size <= marked.length; at++) {
        const row = this.rowOfPiece(marked, at, at + size);
        if (row === -1) continue;
        known++;
        sums.addToTerm(row, scales[row] as number);
      }
    }
    if (composed.size >= this.maxComposed) {
      composed.clear();
      this.forgotten += 1;
      this.nextComposed = this.ends.length;
    }
    const row = known === 0 ? -1 : this.keepMean(known);
    composed.set(term, row);
    return row;
  }

  private keepMean(of: number): number {
    const { q, scale } = quantize(this.sums.term);
    const row = this.nextComposed++;
    this.sums.rows.set(q, row * q.length);
    this.scales[row] = scale / of;
    return row;
  }

  /** Returns the units of a term between marks of its ends. */
  private marked(term: string): Uint16Array {
    const units = new Uint16Array(term.length + 2);
    units[0] = BEGIN;
    for (let i = 0; i < term.length; i++) units[i + 1] = term.charCodeAt(i);
    units[term.length + 1] = END;
    return units;
  }

  /** Looks up a key. @returns −1 for a key without a row of its own */
  private ownRow(key: string): number {
    const { ends, keys } = this;
    for (let slot = hashOf(key) & this.mask; ; slot = (slot + 1) & this.mask) {
      const row = this.slots[slot] as number;
      if (row === -1) return -1;
      const from = row === 0 ? 0 : (ends[row - 1] as number);
      if ((ends[row] as number) - from !== key.length) continue;
      let i = 0;
      while (i < key.length && keys[from + i] === key.charCodeAt(i)) i++;
      if (i === key.length) return row;
    }
  }

  /** Looks up the key of a piece in the same way: `#` and the units from one place to another. */
  private rowOfPiece(units: Uint16Array, from: number, to: number): number {
    const { ends, keys } = this;
    const hash = hashOfUnits(units, from, to, Math.imul(FNV_OFFSET ^ PIECE, FNV_PRIME));
    for (let slot = hash & this.mask; ; slot = (slot + 1) & this.mask) {
      const row = this.slots[slot] as number;
      if (row === -1) return -1;
      const key = row === 0 ? 0 : (ends[row - 1] as number);
      if ((ends[row] as number) - key !== to - from + 1 || keys[key] !== PIECE) continue;
      let i = from;
      while (i < to && keys[key + 1 + i - from] === units[i]) i++;
      if (i === to) return row;
    }
  }
}

function hashOf(key: string): number {
  let x = FNV_OFFSET;
  for (let i = 0; i < key.length; i++) x = Math.imul(x ^ key.charCodeAt(i), FNV_PRIME);
  return x ^ (x >>> 15);
}

function hashOfUnits(units: Uint16Array, from: number, to: number, begun = FNV_OFFSET): number {
  let x = begun;
  for (let i = from; i < to; i++) x = Math.imul(x ^ (units[i] as number), FNV_PRIME);
  return x ^ (x >>> 15);
}
