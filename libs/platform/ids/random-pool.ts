import { randomFillSync } from 'node:crypto';

/** A call for random bytes costs more than the bytes. */
const POOL_BYTES = 4_096;

const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

/**
 * Returns random bytes of which no others were returned, for ids. They are overwritten later, so
 * they must be used at once, and never as a secret.
 * @param length at most 4,096
 */
export function randomPart(length: number): Buffer {
  if (used + length > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  used += length;
  return pool.subarray(used - length, used);
}

/**
 * Returns a random number of some bytes, as {@link randomPart} does.
 * @param length from 1 to 6
 */
export function randomNumber(length: number): number {
  return randomPart(length).readUIntBE(0, length);
}
