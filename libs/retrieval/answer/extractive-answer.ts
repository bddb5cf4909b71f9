import { analyse } from '../analysis/analyse.js';
import { analyseQuery } from '../analysis/analyse-query.js';

/** A retrieved passage to quote from. */
export interface Passage {
  readonly content: string;
  /** 1-based line of the passage's first line in its file; undefined where lines mean nothing. */
  readonly startLine: number | undefined;
}

/** Lines quoted word for word from one passage. */
export interface Quote {
  /** Index of the passage. */
  readonly passage: number;
  readonly lines: readonly string[];
  /** Line of the first quoted line in its file. */
  readonly line: number | undefined;
}

const WINDOW_LINES = 8;

/**
 * Answers by quoting: from each of the first passages that shares a term with the question, the window of lines that
 * covers most of its terms. Nothing is put into other words, so nothing can be made up.
 * @param limit how many passages are quoted at most
 */
export function extractiveAnswer(question: string, passages: readonly Passage[], limit = 2): readonly Quote[] {
  const wanted = new Set(analyseQuery(question).terms);
  const quotes: Quote[] = [];
  for (const [index, passage] of passages.entries()) {
    if (quotes.length === limit) break;
    const lines = passage.content.split('\n');
    const start = bestWindow(lines, wanted);
    if (start === null) continue;
    quotes.push({
      passage: index,
      lines: trimBlank(lines.slice(start, start + WINDOW_LINES)),
      line: passage.startLine === undefined ? undefined : passage.startLine + start,
    });
  }
  return quotes;
}

/** First line of the window with the most distinct wanted terms; the earliest on a tie, null when no line has one. */
function bestWindow(lines: readonly string[], wanted: ReadonlySet<string>): number | null {
  const found = lines.map((line) => new Set(analyse(line).filter((term) => wanted.has(term))));
  let best: { readonly start: number; readonly covered: number } | null = null;
  for (const [start, own] of found.entries()) {
    if (own.size === 0) continue;
    const covered = new Set(found.slice(start, start + WINDOW_LINES).flatMap((terms) => [...terms])).size;
    if (best === null || covered > best.covered) best = { start, covered };
  }
  return best?.start ?? null;
}

function trimBlank(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return lines.slice(0, last + 1);
}
