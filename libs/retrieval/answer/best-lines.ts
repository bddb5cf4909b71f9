import { analyzeQuery } from '../analysis/analyze-query.js';
import { rarityWeight, WINDOW_LINES, WindowFinder } from './best-window.js';
import { type LinesWithTerms, TermsByLine } from './terms-by-line.js';

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
  const { terms } = analyzeQuery(question);
  const reader = new TermsByLine(terms);
  const read = passages.slice(0, MOST_PASSAGES).map((passage) => {
    if (!passage) return undefined;
    const { content, startLine, endLine } = passage;
    const count = endLine - startLine + 1;
    if (count <= WINDOW_LINES || content.length > MOST_CHARACTERS) return undefined;
    // Without the exact lines of the file, a line number would be a guess.
    if (lineBreaks(content) !== count - 1) return undefined;
    return { content, startLine, asked: reader.read(content) };
  });
  const finder = new WindowFinder(
    weightsOf(
      terms.length,
      read.flatMap((passage) => passage?.asked ?? []),
    ),
  );
  return passages.map((_, at) => {
    const passage = read[at];
    if (!passage) return undefined;
    const { content, asked, startLine } = passage;
    const { start, covered } = finder.best(asked);
    if (covered === 0) return undefined;
    const window = linesFrom(content, start, WINDOW_LINES);
    const last = window.findLastIndex((line) => line.trim() !== '');
    return { startLine: startLine + start, endLine: startLine + start + last };
  });
}

/** Returns the weights of terms by their number: the rarer in the passages, the higher. */
function weightsOf(terms: number, passages: readonly LinesWithTerms[]): readonly number[] {
  const bearing = Array<number>(terms).fill(0);
  const lastPassage = Array<number>(terms).fill(-1);
  for (const [passage, lines] of passages.entries())
    for (const some of lines.terms)
      for (const term of some) {
        if (lastPassage[term] === passage) continue;
        lastPassage[term] = passage;
        bearing[term] = (bearing[term] as number) + 1;
      }
  return bearing.map((count) => rarityWeight(passages.length, count));
}

function lineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Returns lines of a text, without making strings of those before and after. */
function linesFrom(text: string, first: number, count: number): readonly string[] {
  let from = 0;
  for (let line = 0; line < first; line += 1) from = text.indexOf('\n', from) + 1;
  let to = from;
  for (let line = 0; line < count && to >= 0; line += 1)
    to = text.indexOf('\n', line ? to + 1 : to);
  return text.slice(from, to < 0 ? text.length : to).split('\n');
}
