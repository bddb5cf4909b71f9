import { Seeded } from '../seeded.js';
import { addProducts, dotProducts } from './matrix.js';

/** Number of rows that determine the axes; the first are the most frequent words. */
const MAX_ROWS = 20_000;
const MAX_ROUNDS = 60;
/** The search ends when a round explains only this much more of the variance. */
const MIN_GAIN = 1e-6;
const SEED = 256;

/**
 * Computes the directions of greatest variance of centered rows, orthonormal, by orthogonal
 * iteration on their covariance. Their rotation within the common space is arbitrary; no result
 * depends on it.
 *
 * @param rows centered, `width` numbers each.
 * @returns `count` rows of `width`.
 */
export function principalAxes(rows: Float32Array, width: number, count: number): Float32Array {
  const covariance = covarianceOf(rows.subarray(0, MAX_ROWS * width), width);
  const random = new Seeded(SEED);
  let axes = Float32Array.from({ length: count * width }, () => random.next() - 0.5);
  orthonormalize(axes, width);
  for (let round = 0, before = 0; round < MAX_ROUNDS; round++) {
    const turned = new Float32Array(axes.length);
    addProducts(axes, covariance, turned, { n: count, m: width, width });
    const found = traceOf(axes, turned);
    orthonormalize(turned, width);
    axes = turned;
    if (found - before < MIN_GAIN * found) break;
    before = found;
  }
  return axes;
}

/** Projects the rows on the axes. */
export function project(rows: Float32Array, axes: Float32Array, width: number): Float32Array {
  const [n, m] = [rows.length / width, axes.length / width];
  const projected = new Float32Array(n * m);
  dotProducts(rows, axes, projected, { n, m, width });
  return projected;
}

function covarianceOf(rows: Float32Array, width: number): Float32Array {
  const sums = new Float64Array(width * width);
  const count = rows.length / width;
  for (let row = 0; row < count; row++) {
    const from = row * width;
    for (let i = 0; i < width; i++) {
      const value = rows[from + i] as number;
      const to = i * width;
      for (let j = i; j < width; j++)
        sums[to + j] = (sums[to + j] as number) + value * (rows[from + j] as number);
    }
  }
  const covariance = new Float32Array(width * width);
  for (let i = 0; i < width; i++) {
    for (let j = i; j < width; j++) {
      covariance[i * width + j] = covariance[j * width + i] =
        (sums[i * width + j] as number) / count;
    }
  }
  return covariance;
}

/** Applies Gram–Schmidt to each row twice, because once is not enough in single precision. */
function orthonormalize(rows: Float32Array, width: number): void {
  const count = rows.length / width;
  for (let i = 0; i < count; i++) {
    const row = rows.subarray(i * width, (i + 1) * width);
    for (let pass = 0; pass < 2; pass++) {
      for (let other = 0; other < i; other++) {
        const from = other * width;
        let along = 0;
        for (let k = 0; k < width; k++) along += (row[k] as number) * (rows[from + k] as number);
        for (let k = 0; k < width; k++)
          row[k] = (row[k] as number) - along * (rows[from + k] as number);
      }
      let squares = 0;
      for (let k = 0; k < width; k++) squares += (row[k] as number) ** 2;
      const norm = Math.sqrt(squares);
      for (let k = 0; k < width; k++) row[k] = norm > 1e-12 ? (row[k] as number) / norm : 0;
    }
  }
}

function traceOf(axes: Float32Array, turned: Float32Array): number {
  let trace = 0;
  for (let at = 0; at < axes.length; at++) trace += (axes[at] as number) * (turned[at] as number);
  return trace;
}
