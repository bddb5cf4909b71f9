import { randomBytes } from 'node:crypto';

/** 2⁴⁰ revisions. */
const REVISION_BITS = 40n;
const RANDOM_BITS = 34n;

/**
 * A UUID of version 7 that begins its random part with a counter: the revision of what it names.
 * Whoever has the id finds the thing without an index, and ids still sort by time and differ even
 * if the revision is given twice.
 * @param at milliseconds since the epoch
 * @throws RangeError for a revision that does not fit into 40 bits
 */
export function revisionId(at: number, revision: bigint): string {
  if (revision < 0n || revision >> REVISION_BITS > 0n)
    throw new RangeError(`Revision ${revision} does not fit into an id`);
  const random = BigInt(`0x${randomBytes(5).toString('hex')}`) & ((1n << RANDOM_BITS) - 1n);
  const tail = (revision << RANDOM_BITS) | random;
  const high = (BigInt(at) << 16n) | 0x7000n | (tail >> 62n);
  const low = (0b10n << 62n) | (tail & ((1n << 62n) - 1n));
  const hex = ((high << 64n) | low).toString(16).padStart(32, '0');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}

/**
 * The revision in an id that {@link revisionId} made; of any other UUID, a number that means
 * nothing.
 */
export function revisionOf(id: string): bigint {
  const bits = BigInt(`0x${id.replaceAll('-', '')}`);
  const tail = (((bits >> 64n) & 0xfffn) << 62n) | (bits & ((1n << 62n) - 1n));
  return tail >> RANDOM_BITS;
}
