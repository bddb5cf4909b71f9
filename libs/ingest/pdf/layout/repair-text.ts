const LIGATURES: Readonly<Record<string, string>> = {
  '\uFB00': 'ff',
  '\uFB01': 'fi',
  '\uFB02': 'fl',
  '\uFB03': 'ffi',
  '\uFB04': 'ffl',
  '\uFB05': 'st',
  '\uFB06': 'st',
};

/**
 * Accents that TeX's older fonts draw next to their letter, with the combining character for each.
 */
const ACCENTS: Readonly<Record<string, string>> = {
  '\u00A8': '\u0308',
  '\u00B4': '\u0301',
  '\u02C6': '\u0302',
  '\u02DC': '\u0303',
  '\u02C7': '\u030C',
  '\u02DA': '\u030A',
  '\u00B8': '\u0327',
};

/**
 * Returns text with normal characters: ligatures spelled out, loose accents on their letters,
 * invisible characters removed.
 */
export function repairCharacters(text: string): string {
  return text
    .replace(/[\uFB00-\uFB06]/g, (ligature) => LIGATURES[ligature] ?? ligature)
    .replace(
      /([\u00A8\u00B4\u02C6\u02DC\u02C7\u02DA\u00B8]) ?([a-zA-Z\u0131])/g,
      (_, accent: string, letter: string) =>
        `${letter === '\u0131' ? 'i' : letter}${ACCENTS[accent] ?? ''}`.normalize('NFC'),
    )
    .replace(/[\s\p{Zs}]/gu, ' ')
    .replace(/[\p{Cc}\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/gu, '')
    .toWellFormed();
}

const HYPHEN_AT_END = /(?<!\p{L})(\p{L}{2,})([-\u2010\u00AD])$/u;
/** Characters at the end of a joined text that may be half of a word; no word is longer. */
const LONGEST_HALF = 200;

/** Joins lines of a paragraph and repairs words that are split at a line's end. */
export class LineJoiner {
  private readonly words = new Set<string>();

  /**
   * Collects the words of a document. @param texts all lines of the document: a word found whole
   * elsewhere shows its spelling.
   */
  constructor(texts: Iterable<string>) {
    for (const text of texts) {
      for (const [word] of text.matchAll(/\p{L}+(?:[-\u2010]\p{L}+)*/gu))
        this.words.add(word.toLowerCase());
    }
  }

  join(lines: readonly string[]): string {
    const done: string[] = [];
    // Only the end of the text so far decides how the next line joins it: a pattern over all of it
    // takes quadratic time.
    let end = '';
    for (const line of lines) {
      const joined = this.pair(end, line);
      const kept = Math.max(0, joined.length - LONGEST_HALF);
      done.push(joined.slice(0, kept));
      end = joined.slice(kept);
    }
    return done.join('') + end;
  }

  private pair(text: string, line: string): string {
    if (text === '') return line;
    const cut = HYPHEN_AT_END.exec(text);
    const head = cut?.[1];
    const tail = /^\p{L}+/u.exec(line)?.[0];
    if (cut && head !== undefined && tail !== undefined)
      return `${text.slice(0, -1)}${this.glue(head, tail)}${line}`;
    const dense =
      /[\u3040-\u30FF\u3400-\u9FFF\uF900-\uFAFF]$/.test(text) &&
      /^[\u3040-\u30FF\u3400-\u9FFF]/.test(line);
    return dense ? text + line : `${text} ${line}`;
  }

  /**
   * Returns the text between the halves of a word that is split at a line's end: empty, unless the
   * word has a hyphen.
   */
  private glue(head: string, tail: string): '' | '-' {
    if (this.words.has(`${head}${tail}`.toLowerCase())) return '';
    if (this.words.has(`${head}-${tail}`.toLowerCase())) return '-';
    return /^\p{Lu}/u.test(tail) ? '-' : '';
  }
}
