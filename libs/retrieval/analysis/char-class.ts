/** What a character means to the word scanner. */
export const CharClass = {
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

/** Classes of the basic plane, filled as characters are met: 64 KiB once, no regular expression a character. */
const basicPlane = new Uint8Array(0x10000).fill(UNKNOWN);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code);
  basicPlane[code] = /[A-Za-z_$]/.test(char)
    ? CharClass.letter
    : /[0-9]/.test(char)
      ? CharClass.digit
      : CharClass.other;
}

/** Class of a code point. */
export function charClass(codePoint: number): number {
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
