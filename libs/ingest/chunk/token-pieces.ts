/** Classes of ASCII characters in the pattern of o200k. */
const Kind = { space: 0, newline: 1, upper: 2, lower: 3, digit: 4, mark: 5 } as const;

const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[\r\n]/.test(char)) return Kind.newline;
  if (/\s/.test(char)) return Kind.space;
  if (/[A-Z]/.test(char)) return Kind.upper;
  if (/[a-z]/.test(char)) return Kind.lower;
  return /[0-9]/.test(char) ? Kind.digit : Kind.mark;
});
/** Class past the end of the text, which matches no rule. */
const NOTHING = 255;
const [APOSTROPHE, SLASH, SPACE] = Buffer.from("'/ ") as unknown as [number, number, number];
const SHORT_CONTRACTIONS = new Set(Buffer.from('sdmt'));
const LONG_CONTRACTIONS = new Set(['ll', 've', 're']);
const TO_LOWER = 0x20;

/**
 * Returns the end of the piece of an ASCII text that starts at `from`, before the text's end. Byte
 * pair encoding never joins across pieces. The pieces are those of o200k's pattern; the code tests
 * its alternatives in the same order. The pattern itself costs several times as much.
 *
 * @param length of the text, the first bytes of `text`
 */
export function pieceEnd(text: Uint8Array, from: number, length: number): number {
  const first = kindAt(text, from, length);
  const isLetter = first === Kind.upper || first === Kind.lower;
  // A word may start with one character that does not belong to a word, usually a space.
  const word = first === Kind.space || first === Kind.mark ? from + 1 : from;
  if (isLetter || word > from) {
    const end = wordEnd(text, word, length);
    if (end > word) return end;
  }
  if (first === Kind.digit) return digitsEnd(text, from, length);
  const marks = text[from] === SPACE ? from + 1 : from;
  if (kindAt(text, marks, length) === Kind.mark) return marksEnd(text, marks, length);
  return spacesEnd(text, from, length);
}

/**
 * Returns the end of capitals, then small letters, then a contraction; `from` if there is no
 * letter.
 */
function wordEnd(text: Uint8Array, from: number, length: number): number {
  let at = from;
  while (kindAt(text, at, length) === Kind.upper) at++;
  while (kindAt(text, at, length) === Kind.lower) at++;
  if (at === from || at + 1 >= length || text[at] !== APOSTROPHE) return at;
  const next = (text[at + 1] as number) | TO_LOWER;
  if (SHORT_CONTRACTIONS.has(next)) return at + 2;
  if (at + 2 >= length) return at;
  const both = String.fromCharCode(next, (text[at + 2] as number) | TO_LOWER);
  return LONG_CONTRACTIONS.has(both) ? at + 3 : at;
}

/** Returns the end of at most three digits. */
function digitsEnd(text: Uint8Array, from: number, length: number): number {
  let at = from + 1;
  while (at < from + 3 && kindAt(text, at, length) === Kind.digit) at++;
  return at;
}

/** Returns the end of a run of marks, with the line ends and slashes after it. */
function marksEnd(text: Uint8Array, from: number, length: number): number {
  let at = from + 1;
  while (kindAt(text, at, length) === Kind.mark) at++;
  while (kindAt(text, at, length) === Kind.newline || (at < length && text[at] === SLASH)) at++;
  return at;
}

/**
 * Returns the end of white space after its last line end. Without a line end, excludes the last
 * space, which the next piece starts with.
 */
function spacesEnd(text: Uint8Array, from: number, length: number): number {
  let at = from;
  let newline = -1;
  for (let kind = kindAt(text, at, length); kind <= Kind.newline; kind = kindAt(text, at, length)) {
    if (kind === Kind.newline) newline = at;
    at++;
  }
  if (newline >= 0) return newline + 1;
  return at === length || at === from + 1 ? at : at - 1;
}

function kindAt(text: Uint8Array, at: number, length: number): number {
  return at < length ? (KINDS[text[at] as number] as number) : NOTHING;
}
