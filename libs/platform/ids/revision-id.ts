import { dashed } from './dashed.js';
import { randomNumber } from './random-pool.js';

/** 2⁴⁰ revisions. */
const REVISION_BITS = 40n;
const RANDOM_BITS = 34n;

/**
 * Returns a UUID of version 7 whose random part begins with a counter: the revision of the named
 * thing. So the id finds it without an index. Ids still sort by time and differ even for the same
 * revision.
 * @param at milliseconds since the epoch.
 * @throws RangeError for a revision of more than 40 bits.
 */
export function revisionId(at: number, revision: bigint): string {
  if (revision < 0n || revision >> REVISION_BITS > 0n)
    throw new RangeError(`Revision ${revision} does not fit into an id`);
  const random = BigInt(randomNumber(5)) & ((1n << RANDOM_BITS) - 1n);
  const tail = (revision << RANDOM_BITS) | random;
  const high = (BigInt(at) << 16n) | 0x7000n | (tail >> 62n);
  const low = (0b10n << 62n) | (tail & ((1n << 62n) - 1n));
  return dashed(((high << 64n) | low).toString(16).padStart(32, '0'));
}

/**
 * Returns the revision in an id of {@link revisionId}; for any other UUID, a meaningless number.
 */
export function revisionOf(id: string): bigint {
  const bits = BigInt(`0x${id.replaceAll('-', '')}`);
  const tail = (((bits >> 64n) & 0xfffn) << 62n) | (bits & ((1n << 62n) - 1n));
  return tail >> RANDOM_BITS;
}
