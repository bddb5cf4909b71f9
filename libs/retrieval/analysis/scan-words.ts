/** Longest word. Longer words are data, not language: encoded blobs, hashes, minified names. */
export const MAX_WORD = 40;
const NON_ASCII = /[^\x00-\x7f]/; // eslint-disable-line no-control-regex

/** Class of a character for the word scanner. */
const CharClass = {
  other: 0,
  /** Starts and continues a word: letters, `_`, `$`. */
  letter: 1,
  /** Continues a word; alone, starts a number. */
  digit: 2,
  /** Continues a word, never starts one: combining marks. */
  mark: 3,
  /** A letter of a script written without spaces; runs of them become bigrams. */
  unspaced: 4,
} as const;

const UNSPACED = /^[\p{L}\p{M}]$/u;
const UNSPACED_SCRIPT =
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]$/u;
const UNKNOWN = 255;

/**
 * Classes of the basic plane, filled on first use of a character: 64 KiB once, and no regular
 * expression for each character.
 */
const basicPlane = new Uint8Array(0x10000).fill(UNKNOWN);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code);
  basicPlane[code] = /[A-Za-z_$]/.test(char)
    ? CharClass.letter
    : /[0-9]/.test(char)
      ? CharClass.digit
      : CharClass.other;
}

/**
 * Calls `visit` for each word of a text, in order: `[letter _ $][letter digit mark _ $]*`, or a run
 * of digits. Text beyond ASCII is read in NFKC. Runs of a script without spaces give their bigrams
 * (one character alone gives itself). Words over 40 characters are left out.
 */
export function scanWords(text: string, visit: (word: string) => void): void {
  if (isAscii(text)) scanAscii(text, (from, to) => visit(text.slice(from, to)));
  else scanUnicode(text.normalize('NFKC'), visit);
}

export function isAscii(text: string): boolean {
  return !NON_ASCII.test(text);
}

/**
 * Calls `visit` in the same way for a text that {@link isAscii}, without making strings. It passes
 * the places where each word begins and ends.
 */
export function scanAscii(text: string, visit: (from: number, to: number) => void): void {
  const length = text.length;
  let at = 0;
  while (at < length) {
    const first = charClass(text.charCodeAt(at));
    if (first === CharClass.other) {
      at++;
      continue;
    }
    const start = at++;
    if (first === CharClass.letter)
      while (at < length && charClass(text.charCodeAt(at)) !== CharClass.other) at++;
    else while (at < length && charClass(text.charCodeAt(at)) === CharClass.digit) at++;
    if (at - start <= MAX_WORD) visit(start, at);
  }
}

function scanUnicode(text: string, visit: (word: string) => void): void {
  const length = text.length;
  let at = 0;
  while (at < length) {
    const codePoint = text.codePointAt(at) as number;
    const first = charClass(codePoint);
    const start = at;
    at += codePoint > 0xffff ? 2 : 1;
    if (first === CharClass.unspaced) {
      at = skipWhile(text, at, (kind) => kind === CharClass.unspaced);
      visitBigrams(text.slice(start, at), visit);
    } else if (first === CharClass.letter) {
      at = skipWhile(text, at, (kind) => kind !== CharClass.other && kind !== CharClass.unspaced);
      if (at - start <= MAX_WORD) visit(text.slice(start, at));
    } else if (first === CharClass.digit) {
      at = skipWhile(text, at, (kind) => kind === CharClass.digit);
      if (at - start <= MAX_WORD) visit(text.slice(start, at));
    }
  }
}

function skipWhile(text: string, from: number, belongs: (kind: number) => boolean): number {
  let at = from;
  while (at < text.length) {
    const codePoint = text.codePointAt(at) as number;
    if (!belongs(charClass(codePoint))) break;
    at += codePoint > 0xffff ? 2 : 1;
  }
  return at;
}

function visitBigrams(run: string, visit: (word: string) => void): void {
  const characters = Array.from(run);
  if (characters.length === 1) visit(run);
  for (let i = 0; i + 1 < characters.length; i++) visit(`${characters[i]}${characters[i + 1]}`);
}

/** Returns the class of a code point. */
function charClass(codePoint: number): number {
  if (codePoint > 0xffff) return classify(codePoint);
  const known = basicPlane[codePoint] as number;
  if (known !== UNKNOWN) return known;
  return (basicPlane[codePoint] = classify(codePoint));
}

function classify(codePoint: number): number {
  const char = String.fromCodePoint(codePoint);
  if (UNSPACED.test(char) && UNSPACED_SCRIPT.test(char)) return CharClass.unspaced;
  if (/^\p{L}$/u.test(char)) return CharClass.letter;
  if (/^\p{N}$/u.test(char)) return CharClass.digit;
  if (/^\p{M}$/u.test(char)) return CharClass.mark;
  return CharClass.other;
}
