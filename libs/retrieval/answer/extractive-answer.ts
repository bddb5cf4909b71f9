import { analyse } from '../analysis/analyse.js';
import { analyseQuery } from '../analysis/analyse-query.js';
import { docComment } from './doc-comment.js';
import { bestSentences } from './sentences.js';

/** A retrieved passage to quote from. */
export interface Passage {
  readonly content: string;
  /** 1-based line of the passage's first line in its file; undefined where lines mean nothing. */
  readonly startLine: number | undefined;
  /** What it is called in its file. */
  readonly symbol?: string | undefined;
  /** Prose is quoted by its sentences. Default: code. */
  readonly isProse?: boolean;
}

/** What is quoted word for word from one passage. */
export interface Quote {
  /** Index of the passage. */
  readonly passage: number;
  /** What the passage says in words: its doc comment, or its best sentences; empty where it says nothing. */
  readonly words: string;
  /** Lines of code; none of prose. */
  readonly lines: readonly string[];
  /** Line of the first quoted line in its file. */
  readonly line: number | undefined;
  /** Last quoted line, of prose the passage's last. */
  readonly endLine: number | undefined;
  /** Index of an earlier quoted passage that names this one's definition as one names what one calls. */
  readonly calledBy: number | undefined;
}

const WINDOW_LINES = 8;
/** A definition's first lines that are shown with lines further down. */
const NEAR = 4;
/** A passage that covers less of the question than this share of what the best one does is not quoted. */
const LEAST_SHARE = 0.5;

interface Candidate {
  readonly quote: Quote;
  readonly covered: number;
}

/**
 * Answers by quoting: of the first passages that cover enough of the question what they say in words, and the lines that
 * cover most of it with the definition that they belong to. Nothing is put into other words, so nothing can be made up. What another
 * quoted passage calls comes right after it.
 * @param limit how many passages are quoted at most
 */
export function extractiveAnswer(question: string, passages: readonly Passage[], limit = 3): readonly Quote[] {
  const wanted = weights(new Set(analyseQuery(question).terms), passages);
  const found = passages.flatMap((passage, at) => quoteOf(passage, at, wanted) ?? []);
  const most = Math.max(0, ...found.map(({ covered }) => covered));
  const quoted = found.filter(({ covered }) => covered >= most * LEAST_SHARE).map(({ quote }) => quote);
  return inCallOrder(quoted.slice(0, limit), passages);
}

/** What rarely stands in the passages tells more than what stands in all of them. */
function weights(terms: ReadonlySet<string>, passages: readonly Passage[]): ReadonlyMap<string, number> {
  const own = passages.map(({ content, symbol = '' }) => new Set(analyse(`${symbol}\n${content}`)));
  return new Map(
    [...terms].map((term) => {
      const bearing = own.filter((words) => words.has(term)).length;
      return [term, Math.log(1 + (passages.length + 1) / (bearing + 0.5))];
    }),
  );
}

function quoteOf(passage: Passage, at: number, wanted: ReadonlyMap<string, number>): Candidate | undefined {
  const { content, startLine, symbol = '', isProse = false } = passage;
  const covered = coveredBy(analyse(`${symbol}\n${content}`), wanted);
  if (covered === 0) return undefined;
  const lines = content.split('\n');
  const place = (index: number) => (startLine === undefined ? undefined : startLine + index);
  const common = { passage: at, calledBy: undefined };
  if (isProse) {
    const words = bestSentences(content, (text) => coveredBy(analyse(text), wanted));
    return { covered, quote: { ...common, words, lines: [], line: startLine, endLine: place(lines.length - 1) } };
  }
  const { text, definition } = docComment(lines);
  const window = bestWindow(lines, definition, wanted);
  // The definition's own lines belong to what is shown of it while they are near.
  const from = window - definition <= NEAR ? definition : window;
  const shown = trimBlank(lines.slice(from, Math.max(window, from) + WINDOW_LINES));
  const first = text === '' ? from : 0;
  const endLine = place(from + shown.length - 1);
  return { covered, quote: { ...common, words: text, lines: shown, line: place(first), endLine } };
}

function coveredBy(terms: Iterable<string>, wanted: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const term of new Set(terms)) sum += wanted.get(term) ?? 0;
  return sum;
}

/** First line of the window that covers most; the definition itself where no line covers anything. */
function bestWindow(lines: readonly string[], definition: number, wanted: ReadonlyMap<string, number>): number {
  const found = lines.map((line) => analyse(line).filter((term) => wanted.has(term)));
  let best = { start: definition, covered: 0 };
  for (let start = definition; start < lines.length; start += 1) {
    if (found[start]?.length === 0) continue;
    const covered = coveredBy(found.slice(start, start + WINDOW_LINES).flat(), wanted);
    if (covered > best.covered) best = { start, covered };
  }
  return best.start;
}

/** Best first; but what a passage calls comes right after it. */
function inCallOrder(quotes: readonly Quote[], passages: readonly Passage[]): readonly Quote[] {
  const ordered: Quote[] = [];
  const add = (quote: Quote, calledBy: number | undefined): void => {
    if (ordered.some(({ passage }) => passage === quote.passage)) return;
    ordered.push({ ...quote, calledBy });
    const caller = passages[quote.passage]?.content ?? '';
    for (const other of quotes) {
      const name = passages[other.passage]?.symbol?.split(/[.#:]+/).at(-1);
      if (other === quote || !name || !isCalled(name, caller)) continue;
      add(other, quote.passage);
    }
  };
  for (const quote of quotes) add(quote, undefined);
  return ordered;
}

function isCalled(name: string, content: string): boolean {
  return (
    /^[\w$]+$/.test(name) &&
    new RegExp(`(?<![\\w$])(?<!\\b(?:function|def|fn|func|class)\\s+)${name.replaceAll('$', '\\$')}\\s*\\(`).test(
      content,
    )
  );
}

function trimBlank(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return lines.slice(0, last + 1);
}
