/**
 * Matrices are stored row after row. Four products at a time, so that each loaded value is used
 * four times.
 */

/** Computes `out[i·m + j] = a_i · b_j` of `n` rows of `a` and `m` of `b`, `width` numbers each. */
export function dotProducts(
  a: Float32Array,
  b: Float32Array,
  out: Float32Array,
  { n, m, width }: { readonly n: number; readonly m: number; readonly width: number },
): void {
  for (let i = 0; i < n; i++) {
    const from = i * width;
    let j = 0;
    for (; j + 3 < m; j += 4) {
      const [b0, b1, b2, b3] = [j * width, (j + 1) * width, (j + 2) * width, (j + 3) * width];
      let s0 = 0;
      let s1 = 0;
      let s2 = 0;
      let s3 = 0;
      for (let k = 0; k < width; k++) {
        const value = a[from + k] as number;
        s0 += value * (b[b0 + k] as number);
        s1 += value * (b[b1 + k] as number);
        s2 += value * (b[b2 + k] as number);
        s3 += value * (b[b3 + k] as number);
      }
      const at = i * m + j;
      out[at] = s0;
      out[at + 1] = s1;
      out[at + 2] = s2;
      out[at + 3] = s3;
    }
    for (; j < m; j++) {
      let sum = 0;
      for (let k = 0; k < width; k++) sum += (a[from + k] as number) * (b[j * width + k] as number);
      out[i * m + j] = sum;
    }
  }
}

/**
 * Computes `out_i += Σ_j factors[i·m + j] · b_j`: `n` rows of `out`, `m` of `b`, `width` numbers
 * each.
 */
export function addProducts(
  factors: Float32Array,
  b: Float32Array,
  out: Float32Array,
  { n, m, width }: { readonly n: number; readonly m: number; readonly width: number },
): void {
  for (let i = 0; i < n; i++) {
    const to = i * width;
    let j = 0;
    for (; j + 3 < m; j += 4) {
      const at = i * m + j;
      const f0 = factors[at] as number;
      const f1 = factors[at + 1] as number;
      const f2 = factors[at + 2] as number;
      const f3 = factors[at + 3] as number;
      const [b0, b1, b2, b3] = [j * width, (j + 1) * width, (j + 2) * width, (j + 3) * width];
      for (let k = 0; k < width; k++) {
        out[to + k] =
          (out[to + k] as number) +
          f0 * (b[b0 + k] as number) +
          f1 * (b[b1 + k] as number) +
          f2 * (b[b2 + k] as number) +
          f3 * (b[b3 + k] as number);
      }
    }
    for (; j < m; j++) {
      const factor = factors[i * m + j] as number;
      for (let k = 0; k < width; k++)
        out[to + k] = (out[to + k] as number) + factor * (b[j * width + k] as number);
    }
  }
}

/** Computes `out[j·n + i] = a[i·m + j]` of `n` rows of `m`. */
export function transpose(a: Float32Array, out: Float32Array, n: number, m: number): void {
  for (let i = 0; i < n; i++) for (let j = 0; j < m; j++) out[j * n + i] = a[i * m + j] as number;
}

/**
 * Normalizes each row of a matrix, in place; a zero row is unchanged.
 * @returns the previous norms.
 */
export function normalizeRows(a: Float32Array, width: number): Float32Array {
  const norms = new Float32Array(a.length / width);
  for (let i = 0; i < norms.length; i++) {
    const row = a.subarray(i * width, (i + 1) * width);
    let squares = 0;
    for (let k = 0; k < width; k++) squares += (row[k] as number) ** 2;
    const norm = Math.sqrt(squares);
    norms[i] = norm;
    if (norm > 0) for (let k = 0; k < width; k++) row[k] = (row[k] as number) / norm;
  }
  return norms;
}

/** Returns the mean of the rows. */
export function meanRow(a: Float32Array, width: number): Float32Array {
  const sum = new Float64Array(width);
  const count = a.length / width;
  for (let at = 0; at < a.length; at++)
    sum[at % width] = (sum[at % width] as number) + (a[at] as number);
  return Float32Array.from(sum, (value) => value / Math.max(1, count));
}

/** Subtracts a row from each row, in place. */
export function subtractRow(a: Float32Array, row: Float32Array): void {
  for (let at = 0; at < a.length; at++)
    a[at] = (a[at] as number) - (row[at % row.length] as number);
}
