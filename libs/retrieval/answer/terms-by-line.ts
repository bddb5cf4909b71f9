import { analyze } from '../analysis/analyze.js';
import { isAscii } from '../analysis/scan-words.js';
import { remember } from '../bounded-cache.js';

const NO_TERMS: readonly string[] = [];
const MAX_CACHED_WORDS = 1_000;

/** Lists the given terms in each line of a text. As sets, they equal those of a full analysis. */
export type TermsByLine = (text: string) => readonly (readonly string[])[];

/**
 * Makes the lists of some terms. Only words that contain the beginning of a term are analyzed,
 * because a full analysis of a search's passages costs as much as their ranking. Lines of text
 * beyond ASCII are analyzed in full.
 */
export function termsByLine(terms: Iterable<string>): TermsByLine {
  const wanted = new Set(terms);
  const beginnings = [...wanted].map(beginningOf).filter((beginning) => beginning !== '');
  const wantedOf = (text: string): string[] => analyze(text).filter((term) => wanted.has(term));
  // Words repeat in the passages of a search.
  const wantedOfWord = remember(wantedOf, MAX_CACHED_WORDS);
  return (text) => {
    if (!isAscii(text)) return text.split('\n').map(wantedOf);
    const ends = lineEnds(text);
    const found = ends.map((): readonly string[] => NO_TERMS);
    const lower = text.toLowerCase();
    for (const beginning of beginnings) {
      let line = 0;
      for (let at = lower.indexOf(beginning); at >= 0;) {
        const [start, end] = wordsAround(lower, at);
        while ((ends[line] as number) < start) line += 1;
        const terms = wantedOfWord(text.slice(start, end));
        if (terms.length > 0) found[line] = found[line]?.concat(terms) ?? terms;
        at = lower.indexOf(beginning, end);
      }
    }
    return found;
  };
}

/** Returns where each line ends: at its line break, or at the end of the text. */
function lineEnds(text: string): number[] {
  const ends: number[] = [];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends.push(at);
  ends.push(text.length);
  return ends;
}

/** Returns the part of a term that all its words contain: a stem in `y` may come from `ies`. */
function beginningOf(term: string): string {
  return term.length > 1 && term.endsWith('y') ? term.slice(0, -1) : term;
}

/** Returns the bounds of the longest run of word characters around a place of a text. */
function wordsAround(lower: string, at: number): readonly [start: number, end: number] {
  let start = at;
  let end = at + 1;
  while (start > 0 && isWordCharacter(lower.charCodeAt(start - 1))) start -= 1;
  while (end < lower.length && isWordCharacter(lower.charCodeAt(end))) end += 1;
  return [start, end];
}

/** Returns true for `a` to `z`, `0` to `9`, `_` and `$`. */
function isWordCharacter(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x24
  );
}
