/** Keys of trigrams of ASCII characters are below this; those of others are hashed above it. */
const ASCII_KEYS = 1 << 21;
const HASH_BITS = 19;
/** Number of possible keys. */
export const TRIGRAM_KEYS = ASCII_KEYS + (1 << HASH_BITS);
const LINE_FEED = 10;

/**
 * Calls back with the key of each trigram of a folded text, in order and with repetitions. Trigrams
 * over line ends are left out, because no match spans lines.
 */
export function eachTrigram(folded: string, callback: (key: number) => void): void {
  let first = LINE_FEED;
  let second = LINE_FEED;
  for (let at = 0; at < folded.length; at++) {
    const third = folded.charCodeAt(at);
    if (first !== LINE_FEED && second !== LINE_FEED && third !== LINE_FEED)
      callback(keyOf(first, second, third));
    first = second;
    second = third;
  }
}

/** Different trigrams beyond ASCII may share a key; then a search reads documents in vain. */
function keyOf(first: number, second: number, third: number): number {
  if ((first | second | third) < 128) return (first << 14) | (second << 7) | third;
  const mixed =
    Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b) ^ Math.imul(third, 0xc2b2ae35);
  return ASCII_KEYS + (Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> (32 - HASH_BITS));
}
