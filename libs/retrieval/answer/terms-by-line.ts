import { analyze, cachedWordTerms } from '../analysis/analyze.js';
import { MAX_WORD } from '../analysis/scan-words.js';
import { remember } from '../bounded-cache.js';

const MAX_CACHED_WORDS = 1_000;
const LINE_BREAK = 0x0a;
const ASCII = 128;
/** Bits for beginnings in a mask. Beginnings whose numbers differ by this have the same bit. */
const BITS = 31;
/** The bit of a line break, which follows any character. */
const BREAK_BIT = 1 << BITS;

/** The lower case of each character of a word: `a` to `z`, `0` to `9`, `_`, `$`; 0 for others. */
const WORD_CHARACTERS = Uint8Array.from({ length: ASCII }, (_, code) => {
  const lower = String.fromCharCode(code).toLowerCase();
  return /^[a-z0-9_$]$/.test(lower) ? lower.charCodeAt(0) : 0;
});
/** Places that are sorted without memory of their own. */
const FEW_PLACES = 32;
/** More than the words of a line. */
const MOST_WORDS = 2 ** 32;
const encoder = new TextEncoder();
/** Memory for the text that is read. A longer text has its own. */
const kept = new Uint8Array(32 * 1024);

/** Terms of a question by their number, each once. */
type Numbers = readonly number[];

const NONE: Numbers = [];

/** The lines of a text that have terms of a question. */
export interface LinesWithTerms {
  /** 0-based, ascending. */
  readonly lines: readonly number[];
  /** The terms of each of these lines. */
  readonly terms: readonly Numbers[];
}

/**
 * Lists the terms of a question in the lines of texts. As sets, they equal those of a full analysis
 * of each line. Only words that contain the beginning of a term are analyzed, because a full
 * analysis of a search's passages costs as much as their ranking. Texts beyond ASCII are analyzed
 * in full.
 */
export class TermsByLine {
  private readonly numbers: ReadonlyMap<string, number>;
  private readonly beginnings: readonly string[];
  /** Bits of the beginnings whose first, and whose second, character is one, by its code. */
  private readonly first = new Int32Array(ASCII).fill(BREAK_BIT);
  private readonly second = new Int32Array(ASCII);
  private readonly line: LineOfText;
  /** Words repeat in the passages of a search. */
  private readonly ofWord = remember(
    (word: string) => this.numbersOf(termsOfWord(word)),
    MAX_CACHED_WORDS,
  );

  /** @param terms distinct; their indexes are their numbers */
  constructor(readonly terms: readonly string[]) {
    this.numbers = new Map(terms.map((term, number) => [term, number]));
    this.beginnings = terms.map(beginningOf).filter((beginning) => beginning !== '');
    this.line = new LineOfText(terms.length);
    this.second[LINE_BREAK] = BREAK_BIT;
    for (const [at, beginning] of this.beginnings.entries()) {
      const bit = 1 << (at % BITS);
      addBit(this.first, bit, beginning.charAt(0));
      if (beginning.length > 1) addBit(this.second, bit, beginning.charAt(1));
      // Any character may follow a beginning of one.
      else this.second.forEach((bits, code, all) => (all[code] = bits | bit));
    }
  }

  /**
   * Returns the lines that have terms. The terms of a line are ordered by the first beginning that
   * their word contains, and then as in the line. In a text beyond ASCII they are as in the line.
   */
  read(text: string): LinesWithTerms {
    return this.readAscii(text) ?? this.readAll(text);
  }

  /** Returns undefined for a text beyond ASCII. */
  private readAscii(text: string): LinesWithTerms | undefined {
    const length = text.length;
    const bytes = length < kept.length ? kept : new Uint8Array(length + 1);
    const { first, second, line } = this;
    const { read, written } = encoder.encodeInto(text, bytes);
    if (read !== length || written !== length) return undefined;
    bytes[length] = LINE_BREAK;
    const lines: number[] = [];
    const terms: Numbers[] = [];
    let number = 0;
    let wordEnd = 0;
    let mayBegin = BREAK_BIT;
    for (let at = 0; at <= length; at += 1) {
      const code = bytes[at] as number;
      const bits = mayBegin & (second[code] as number);
      mayBegin = first[code] as number;
      if (bits === 0) continue;
      if ((bits & ~BREAK_BIT) !== 0) wordEnd = this.compare(text, bytes, at - 1, wordEnd);
      if (code !== LINE_BREAK) continue;
      const found = line.end();
      if (found.length > 0) {
        lines.push(number);
        terms.push(found);
      }
      number += 1;
    }
    return { lines, terms };
  }

  /**
   * Adds the beginnings at a place of the text to the word there.
   * @param bytes of the text, and a line break
   * @param wordEnd end of the word that has the last beginning
   * @returns the end of the word if it has a beginning there, otherwise `wordEnd`
   */
  private compare(text: string, bytes: Uint8Array, at: number, wordEnd: number): number {
    const { beginnings, line } = this;
    let end = wordEnd;
    for (let number = 0; number < beginnings.length; number += 1) {
      if (!isAt(bytes, at, beginnings[number] as string)) continue;
      if (at >= end) {
        let start = at;
        end = at + 1;
        while (start > 0 && WORD_CHARACTERS[bytes[start - 1] as number] !== 0) start -= 1;
        while (WORD_CHARACTERS[bytes[end] as number] !== 0) end += 1;
        line.beginWord(this.ofWord(text.slice(start, end)));
      }
      line.addBeginning(number);
    }
    return end;
  }

  private readAll(text: string): LinesWithTerms {
    const all = text.split('\n').map((line) => this.numbersOf(analyze(line)));
    const lines = [...all.keys()].filter((at) => all[at] !== NONE);
    return { lines, terms: lines.map((at) => all[at] ?? NONE) };
  }

  /** Returns the numbers of those of some terms that are the question's, each once. */
  private numbersOf(terms: readonly string[]): Numbers {
    let found: number[] | undefined;
    for (const term of terms) {
      const number = this.numbers.get(term);
      if (number === undefined) continue;
      if (!found) found = [number];
      else if (!found.includes(number)) found.push(number);
    }
    return found ?? NONE;
  }
}

/** The words of one line that have terms. */
class LineOfText {
  /** Terms of each word, and for each beginning in a word the numbers of both; not shortened. */
  private readonly words: Numbers[] = [];
  private readonly places: number[] = [];
  private wordCount = 0;
  private placeCount = 0;
  /** The line that last had a term. */
  private readonly lastLine: Int32Array;
  private lines = 1;

  constructor(terms: number) {
    this.lastLine = new Int32Array(terms);
  }

  beginWord(terms: Numbers): void {
    this.words[this.wordCount] = terms;
    this.wordCount += 1;
  }

  /** Adds a beginning that the present word contains. */
  addBeginning(beginning: number): void {
    this.places[this.placeCount] = beginning * MOST_WORDS + this.wordCount - 1;
    this.placeCount += 1;
  }

  /** Returns the terms of the line, and begins the next one. */
  end(): Numbers {
    if (this.wordCount === 0) return NONE;
    const terms = this.wordCount === 1 ? (this.words[0] ?? NONE) : this.joined();
    this.wordCount = 0;
    this.placeCount = 0;
    return terms;
  }

  private joined(): Numbers {
    const all: number[] = [];
    this.lines += 1;
    const places = inOrder(this.places, this.placeCount);
    for (let at = 0; at < this.placeCount; at += 1)
      for (const term of this.words[(places[at] as number) % MOST_WORDS] as Numbers) {
        if (this.lastLine[term] === this.lines) continue;
        this.lastLine[term] = this.lines;
        all.push(term);
      }
    return all;
  }
}

/** Returns the first numbers of a list in ascending order; few of them in place. */
function inOrder(numbers: number[], count: number): readonly number[] {
  if (count > FEW_PLACES) return numbers.slice(0, count).sort((a, b) => a - b);
  for (let next = 1; next < count; next += 1) {
    const number = numbers[next] as number;
    let at = next;
    for (; at > 0 && (numbers[at - 1] as number) > number; at -= 1)
      numbers[at] = numbers[at - 1] as number;
    numbers[at] = number;
  }
  return numbers;
}

/** Returns the terms of a run of characters of words. */
function termsOfWord(run: string): readonly string[] {
  const first = run.charCodeAt(0);
  // A number before a word is a word of its own.
  if (first >= 0x30 && first <= 0x39) return analyze(run);
  return run.length > MAX_WORD ? [] : cachedWordTerms(run);
}

/** Adds a bit to those of a lower-case character and its upper case, if they are ASCII. */
function addBit(masks: Int32Array, bit: number, character: string): void {
  const [lower, upper] = [character.charCodeAt(0), character.toUpperCase().charCodeAt(0)];
  if (lower >= ASCII || upper >= ASCII) return;
  masks[lower] = (masks[lower] as number) | bit;
  masks[upper] = (masks[upper] as number) | bit;
}

/** Returns the part of a term that all its words contain: a stem in `y` may come from `ies`. */
function beginningOf(term: string): string {
  return term.length > 1 && term.endsWith('y') ? term.slice(0, -1) : term;
}

/** Returns whether a text that ends with a line break has a beginning at a place, in any case. */
function isAt(text: Uint8Array, at: number, beginning: string): boolean {
  for (let after = 0; after < beginning.length; after += 1) {
    const code = text[at + after] as number;
    if (WORD_CHARACTERS[code] !== beginning.charCodeAt(after)) return false;
  }
  return true;
}
