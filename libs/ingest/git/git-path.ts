import { isUtf8 } from 'node:buffer';

/**
 * Stands before two hexadecimal digits for a byte that is no UTF-8. What a decoder puts for such a
 * byte, so that the name still looks as elsewhere; no name has it in UTF-8 but by an earlier
 * mistake.
 */
const MARK = '\uFFFD';
const ESCAPED = /\uFFFD([89A-F][0-9A-F])/g;
/** A name in UTF-8 that reads like a spelling of other bytes. */
const AMBIGUOUS = /\uFFFD(?=[89A-F][0-9A-F])/g;

/**
 * The text that stands for a path of any bytes: names in UTF-8 as they are, each other byte as
 * U+FFFD and its two hexadecimal digits (`caf\uFFFDE9.md` for `café.md` in Latin-1). Two paths
 * never have one spelling: a U+FFFD that a name itself has is written as its three bytes where two
 * such digits follow it.
 */
export function spellPath(path: Buffer): string {
  const text = path.toString('utf8');
  if (!text.includes(MARK)) return text;
  let spelling = '';
  let plain = 0;
  for (let at = 0; at < path.length;) {
    const length = characterLength(path, at);
    if (length === 0) {
      spelling += spellText(path, plain, at) + escaped(path.subarray(at, at + 1));
      plain = at + 1;
    }
    at += Math.max(1, length);
  }
  return spelling + spellText(path, plain, path.length);
}

/** The bytes that a spelling stands for. */
export function pathBytes(spelling: string): Buffer {
  const pieces = spelling.split(ESCAPED);
  return Buffer.concat(
    pieces.map((piece, index) => Buffer.from(piece, index % 2 === 0 ? 'utf8' : 'hex')),
  );
}

function spellText(path: Buffer, from: number, to: number): string {
  return path.toString('utf8', from, to).replace(AMBIGUOUS, escaped(Buffer.from(MARK)));
}

function escaped(bytes: Uint8Array): string {
  return [...bytes].map((byte) => MARK + byte.toString(16).toUpperCase()).join('');
}

/** How many bytes the character of UTF-8 at a place has; 0 where there is none. */
function characterLength(path: Buffer, at: number): number {
  const lead = path[at] ?? 0;
  const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return at + length <= path.length && isUtf8(path.subarray(at, at + length)) ? length : 0;
}
