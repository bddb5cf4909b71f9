import { randomBytes } from 'node:crypto';

/** 2⁴⁰ places. */
const PLACE_BITS = 40n;
const RANDOM_BITS = 34n;

/**
 * A UUID of version 7 that begins its random part with a counter: the place of what it names. Whoever has the id finds the
 * thing without an index, and ids still sort by time and differ even if the place is given twice.
 * @param at milliseconds since the epoch
 * @throws RangeError for a place that does not fit into 40 bits
 */
export function placedId(at: number, place: bigint): string {
  if (place < 0n || place >> PLACE_BITS > 0n) throw new RangeError(`Place ${place} does not fit into an id`);
  const random = BigInt(`0x${randomBytes(5).toString('hex')}`) & ((1n << RANDOM_BITS) - 1n);
  const tail = (place << RANDOM_BITS) | random;
  const high = (BigInt(at) << 16n) | 0x7000n | (tail >> 62n);
  const low = (0b10n << 62n) | (tail & ((1n << 62n) - 1n));
  const hex = ((high << 64n) | low).toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The place in an id that {@link placedId} made; of any other UUID, a number that means nothing. */
export function placeOf(id: string): bigint {
  const bits = BigInt(`0x${id.replaceAll('-', '')}`);
  const tail = (((bits >> 64n) & 0xfffn) << 62n) | (bits & ((1n << 62n) - 1n));
  return tail >> RANDOM_BITS;
}
