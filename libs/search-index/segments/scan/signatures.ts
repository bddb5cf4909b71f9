import { rotate } from './rotation.js';

/** Dimensions of one byte of a signature. */
const BYTE = 8;
/** Dimensions of one table. */
const NIBBLE = 4;
const TABLE_VALUES = 1 << NIBBLE;
/** The sum of two values of tables fits in a byte. */
const MOST = 63;

/** Returns the bytes of the signature of a vector. */
export function signatureBytes(dimensions: number): number {
  return dimensions / BYTE;
}

/**
 * Returns the signature of a vector: bit i of byte j is set where the rotated vector is negative in
 * dimension 8j + i. A kernel computes the same; this is its reference.
 */
export function signatureOf(vector: Int8Array): Uint8Array {
  const signature = new Uint8Array(signatureBytes(vector.length));
  rotate(vector).forEach((value, dimension) => {
    const byte = Math.floor(dimension / BYTE);
    if (value < 0) signature[byte] = (signature[byte] as number) | (1 << (dimension % BYTE));
  });
  return signature;
}

/**
 * Returns the tables of a query, 16 values for each four bits of a signature. A value is the
 * product of the rotated query with these signs. Values are scaled so that the largest is 63.
 */
export function estimateTables(query: Int8Array): Int8Array {
  const rotated = rotate(query);
  const sums = new Int32Array((rotated.length / NIBBLE) * TABLE_VALUES);
  let largest = 1;
  for (let first = 0; first < rotated.length; first += NIBBLE) {
    const table = (first / NIBBLE) * TABLE_VALUES;
    let sum = 0;
    let size = 0;
    for (let bit = 0; bit < NIBBLE; bit += 1) {
      const value = rotated[first + bit] as number;
      sum += value;
      size += Math.abs(value);
    }
    largest = Math.max(largest, size);
    sums[table] = sum;
    // A sum with one more sign differs from the one without it by twice the value.
    for (let bit = 0, half = 1; bit < NIBBLE; bit += 1, half *= 2) {
      const twice = 2 * (rotated[first + bit] as number);
      for (let bits = 0; bits < half; bits += 1)
        sums[table + half + bits] = (sums[table + bits] as number) - twice;
    }
  }
  const values = new Int8Array(sums.length);
  for (let at = 0; at < sums.length; at += 1) {
    const sum = sums[at] as number;
    // Rounded in integers: half away from zero, the same for both signs.
    const size = Math.floor((2 * MOST * Math.abs(sum) + largest) / (2 * largest));
    values[at] = sum < 0 ? -size : size;
  }
  return values;
}

/**
 * Writes tables without signs, as the kernel reads them.
 * @returns what each estimate is too large by.
 */
export function liftTables(tables: Int8Array, lifted: Uint8Array): number {
  for (let at = 0; at < tables.length; at += 1) lifted[at] = (tables[at] as number) + MOST;
  return (MOST * tables.length) / TABLE_VALUES;
}

/** Returns the largest estimate that tables can give, in either direction. */
export function largestEstimate(dimensions: number): number {
  return (MOST * dimensions) / NIBBLE;
}

/**
 * Returns the estimate of a signature: the sum of a value from each table. A kernel computes the
 * same; this is its reference.
 */
export function estimateOf(tables: Int8Array, signature: Uint8Array): number {
  return signature.reduce((sum, byte, at) => {
    const table = 2 * at * TABLE_VALUES;
    const low = tables[table + (byte & (TABLE_VALUES - 1))] as number;
    return sum + low + (tables[table + TABLE_VALUES + (byte >> NIBBLE)] as number);
  }, 0);
}

/** Returns the standard deviation of the estimates of random signatures. */
export function deviationOf(tables: Int8Array): number {
  let sum = 0;
  for (let at = 0; at < tables.length; at += 1) sum += (tables[at] as number) ** 2;
  return Math.sqrt(sum / TABLE_VALUES);
}

/**
 * Returns the mean estimate of vectors with a cosine. The values of a rotated vector are about
 * normally distributed, so their signs keep √(2 / π) of a product.
 * @param deviation of the query's estimates, see {@link deviationOf}.
 */
export function expectedEstimate(dimensions: number, deviation: number, cosine: number): number {
  return deviation * Math.sqrt((2 * dimensions) / Math.PI) * cosine;
}
