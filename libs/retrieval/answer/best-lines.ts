import { analyzeQuery } from '../analysis/analyze-query.js';
import { bestWindow, rarityWeights, WINDOW_LINES } from './best-window.js';
import { termsByLine } from './terms-by-line.js';

/** A passage that is whole lines of a file. */
export interface CitedLines {
  readonly content: string;
  /** 1-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
}

/** Lines of a file: 1-based, inclusive. */
export interface LineSpan {
  readonly startLine: number;
  readonly endLine: number;
}

/** Passages of one search whose lines are read. */
const MOST_PASSAGES = 10;
/** Characters of a passage whose lines are read. */
const MOST_CHARACTERS = 20_000;

/**
 * Returns the lines of each passage that cover most of a question's terms together: at most eight
 * lines, rare terms first. Undefined for a passage of at most eight lines, without a term of the
 * question, or after the tenth. Only exact terms count, so a passage found by its meaning may have
 * none. The same passages always give the same lines.
 */
export function bestLines(
  question: string,
  passages: readonly (CitedLines | undefined)[],
): readonly (LineSpan | undefined)[] {
  const terms = new Set(analyzeQuery(question).terms);
  const askedOf = termsByLine(terms);
  const read = passages.slice(0, MOST_PASSAGES).map((passage) => {
    if (!passage) return undefined;
    const { content, startLine, endLine } = passage;
    const lines = content.split('\n');
    // Without the exact lines of the file, a line number would be a guess.
    if (lines.length !== endLine - startLine + 1) return undefined;
    if (lines.length <= WINDOW_LINES || content.length > MOST_CHARACTERS) return undefined;
    return { lines, startLine, asked: askedOf(content) };
  });
  const wanted = rarityWeights(
    terms,
    read.flatMap((passage) => (passage ? [new Set(passage.asked.flat())] : [])),
  );
  return passages.map((_, at) => {
    const passage = read[at];
    if (!passage) return undefined;
    const { lines, asked, startLine } = passage;
    const { start, covered } = bestWindow(asked, 0, wanted);
    if (covered === 0) return undefined;
    const window = lines.slice(start, start + WINDOW_LINES);
    const last = window.findLastIndex((line) => line.trim() !== '');
    return { startLine: startLine + start, endLine: startLine + start + last };
  });
}
