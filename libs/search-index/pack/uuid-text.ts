const HEX = Buffer.from('0123456789abcdef');
const DASH = 0x2d;
/** Bytes of a UUID after which a dash stands. */
const DASH_AFTER = [3, 5, 7, 9];

const text = Buffer.alloc(36, DASH);
/** Where in the text the two digits of each byte go. */
const places = Array.from({ length: 16 }, (_, byte) => 2 * byte + DASH_AFTER.filter((last) => last < byte).length);

/** The 16 bytes at `start` as a UUID in lower case. Hundreds are written a search: one string each and no pieces. */
export function uuidText(bytes: Uint8Array, start: number): string {
  for (let i = 0; i < places.length; i++) {
    const byte = bytes[start + i] as number;
    const at = places[i] as number;
    text[at] = HEX[byte >> 4] as number;
    text[at + 1] = HEX[byte & 15] as number;
  }
  return text.toString('latin1');
}
