import { isUtf8 } from 'node:buffer';

/**
 * Marker before two hexadecimal digits for a byte that is not UTF-8. Decoders use the same
 * character for such a byte, so the name looks the same as elsewhere. A valid UTF-8 name contains
 * it only through an earlier mistake.
 */
const MARK = '\uFFFD';
const ESCAPED = /\uFFFD([89A-F][0-9A-F])/g;
/** Marker in a UTF-8 name that looks like an escaped byte. */
const AMBIGUOUS = /\uFFFD(?=[89A-F][0-9A-F])/g;

/**
 * Returns the text for a path of any bytes. Valid UTF-8 is unchanged. Each other byte becomes
 * U+FFFD and its two hexadecimal digits (`caf\uFFFDE9.md` for `café.md` in Latin-1). Two paths
 * never have the same spelling. If two such digits follow a U+FFFD of the name itself, it is
 * written as its three bytes.
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

/** Returns the bytes that a spelling represents. */
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

/** Returns the byte length of the UTF-8 character at an offset, or 0 if there is no valid one. */
function characterLength(path: Buffer, at: number): number {
  const lead = path[at] ?? 0;
  const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return at + length <= path.length && isUtf8(path.subarray(at, at + length)) ? length : 0;
}
