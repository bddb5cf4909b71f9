import { quantise } from './quantise.js';

/** Vectors of index terms and of pieces of words, one row each, as a model file holds them. */
export interface TermVectorTables {
  /** A multiple of 16. */
  readonly dimensions: number;
  /** The keys' UTF-16 units, one key after the other. A key that begins with `#` is a piece, any other an index term. */
  readonly keys: Uint16Array;
  /** Where each key ends in `keys`. */
  readonly ends: Uint32Array;
  /** One a row: `vector ≈ row × scale`. */
  readonly scales: Float32Array;
  /** Row after row, `dimensions` each. */
  readonly rows: Int8Array;
  /** Lengths of the pieces, in UTF-16 units, without their `#`. */
  readonly pieceSizes: readonly number[];
}

/** Rows that are made of pieces and kept: 4 MiB at 256 dimensions. At the bound all are forgotten, which does not show. */
const MAX_COMPOSED = 16_384;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 16777619;

/**
 * Looks terms up and adds their vectors up. A term without a row has the mean of the rows of its pieces (`<` and `>` mark
 * its ends), if any of them has one. Nothing is allocated for a term that was met before.
 */
export class TermVectors {
  private readonly slots: Int32Array;
  private readonly mask: number;
  /** Unknown terms: which composed row each has, −1 for none. */
  private readonly composed = new Map<string, number>();
  private composedCount = 0;
  private composedRows = new Int8Array(0);
  private composedScales = new Float32Array(0);
  private readonly mean: Float32Array;

  /** @param maxComposed unknown terms that are remembered at most */
  constructor(
    private readonly tables: TermVectorTables,
    private readonly maxComposed: number = MAX_COMPOSED,
  ) {
    const { ends, keys, dimensions } = tables;
    this.mean = new Float32Array(dimensions);
    let size = 2;
    while (size < ends.length * 2) size *= 2;
    this.slots = new Int32Array(size).fill(-1);
    this.mask = size - 1;
    for (let row = 0, from = 0; row < ends.length; row++) {
      const to = ends[row] as number;
      let slot = hashOfUnits(keys, from, to) & this.mask;
      while (this.slots[slot] !== -1) slot = (slot + 1) & this.mask;
      this.slots[slot] = row;
      from = to;
    }
  }

  /** Whether a key, a term or `#` and a piece, has a row of its own. */
  has(key: string): boolean {
    return this.rowOf(key) !== -1;
  }

  /**
   * Adds a term's vector, times a weight, to `sum`, which has as many dimensions.
   * @returns false when nothing is known of the term, nor of its pieces
   */
  addTo(sum: Float32Array, term: string, weight: number): boolean {
    const { rows, scales } = this.tables;
    const row = this.rowOf(term);
    if (row !== -1) {
      addRow(sum, rows, row, weight * (scales[row] as number));
      return true;
    }
    const composed = this.composed.get(term) ?? this.compose(term);
    if (composed === -1) return false;
    addRow(sum, this.composedRows, composed, weight * (this.composedScales[composed] as number));
    return true;
  }

  private compose(term: string): number {
    const { rows, scales, pieceSizes } = this.tables;
    const { mean } = this;
    mean.fill(0);
    let known = 0;
    const marked = `<${term}>`;
    for (const size of pieceSizes) {
      for (let at = 0; at + size <= marked.length; at++) {
        const row = this.rowOf(`#${marked.slice(at, at + size)}`);
        if (row === -1) continue;
        known++;
        addRow(mean, rows, row, scales[row] as number);
      }
    }
    if (this.composed.size >= this.maxComposed) {
      this.composed.clear();
      this.composedCount = 0;
    }
    if (known === 0) {
      this.composed.set(term, -1);
      return -1;
    }
    for (let i = 0; i < mean.length; i++) mean[i] = (mean[i] as number) / known;
    return this.keep(term);
  }

  /** Keeps the mean as the term's row. */
  private keep(term: string): number {
    const { q, scale } = quantise(this.mean);
    const row = this.composedCount++;
    if (row >= this.composedScales.length) this.growComposed();
    this.composedRows.set(q, row * q.length);
    this.composedScales[row] = scale;
    this.composed.set(term, row);
    return row;
  }

  private growComposed(): void {
    const size = Math.min(this.maxComposed, Math.max(256, this.composedScales.length * 2));
    const rows = new Int8Array(size * this.tables.dimensions);
    const scales = new Float32Array(size);
    rows.set(this.composedRows);
    scales.set(this.composedScales);
    this.composedRows = rows;
    this.composedScales = scales;
  }

  /** @returns −1 for a key without a row. */
  private rowOf(key: string): number {
    const { ends } = this.tables;
    for (let slot = hashOf(key) & this.mask; ; slot = (slot + 1) & this.mask) {
      const row = this.slots[slot] as number;
      if (row === -1) return -1;
      const from = row === 0 ? 0 : (ends[row - 1] as number);
      if ((ends[row] as number) - from === key.length && this.isAt(key, from)) return row;
    }
  }

  private isAt(key: string, from: number): boolean {
    const { keys } = this.tables;
    for (let i = 0; i < key.length; i++) if (keys[from + i] !== key.charCodeAt(i)) return false;
    return true;
  }
}

/** Four at once: the loop over dimensions is most of what embedding costs. */
function addRow(sum: Float32Array, rows: Int8Array, row: number, weight: number): void {
  const { length } = sum;
  let from = row * length;
  for (let i = 0; i < length; i += 4, from += 4) {
    sum[i] = (sum[i] as number) + weight * (rows[from] as number);
    sum[i + 1] = (sum[i + 1] as number) + weight * (rows[from + 1] as number);
    sum[i + 2] = (sum[i + 2] as number) + weight * (rows[from + 2] as number);
    sum[i + 3] = (sum[i + 3] as number) + weight * (rows[from + 3] as number);
  }
}

function hashOf(key: string): number {
  let x = FNV_OFFSET;
  for (let i = 0; i < key.length; i++) x = Math.imul(x ^ key.charCodeAt(i), FNV_PRIME);
  return x ^ (x >>> 15);
}

function hashOfUnits(units: Uint16Array, from: number, to: number): number {
  let x = FNV_OFFSET;
  for (let i = from; i < to; i++) x = Math.imul(x ^ (units[i] as number), FNV_PRIME);
  return x ^ (x >>> 15);
}
