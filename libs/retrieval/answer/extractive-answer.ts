import { analyze } from '../analysis/analyze.js';
import { bestWindow, coveredBy, type TermWeights, WINDOW_LINES } from './best-window.js';
import { commentWords, docComment } from './doc-comment.js';
import { afterFunctions, byCoverage } from './quote-order.js';
import { type Passage, type ReadPassage, readPassages } from './read-passages.js';
import { bestSentences, IN_BRIEF, IN_COMMENT } from './sentences.js';

/** Verbatim quotation from one passage. */
export interface Quote {
  /** Index of the passage. */
  readonly passage: number;
  /** Whether it is one sentence or line that points to the passage; else it is shown at length. */
  readonly isBrief: boolean;
  /** Text of the passage: its doc comment, or its best sentences; empty where it has neither. */
  readonly words: string;
  /** Lines of code; empty for prose. A brief quote without words has its one best line. */
  readonly lines: readonly string[];
  /** Line of the first quoted line in its file; for a brief quote the passage's first. */
  readonly line: number | undefined;
  /** Last quoted line; for prose and for a brief quote the passage's last. */
  readonly endLine: number | undefined;
  /** Index of an earlier quoted passage that names this one's definition in the way of a call. */
  readonly calledBy: number | undefined;
}

/** Distance in lines: a definition's first lines are shown with a window that begins so near. */
const NEAR = 4;
/** Most places that a reader can check. */
const MOST_PLACES = 16;
/** Most places that are shown at length. */
const MOST_SHOWN = 3;
/** Share of the best passage's coverage below which a passage is pointed to, not shown. */
const SHOWN_SHARE = 0.5;
/** Options of an answer. */
export interface QuoteOptions {
  /** Most passages that are quoted. Default: 16. */
  readonly limit?: number;
  /**
   * Whether the passages are in the order of a search, best first, which is kept. Default: the
   * passage that covers most of the question comes first.
   */
  readonly isRanked?: boolean;
}

/**
 * Answers by quotations, best first. A quote has the words of its passage and the lines that cover
 * most of the question, with the definition that they belong to. The first passages are quoted in
 * this form while they cover half as much as the best. The others are pointed to with a sentence or
 * a line each, even without a word of the question: they were found by meaning. Nothing is
 * rephrased, so nothing can be invented. A passage that another shown passage calls comes right
 * after it. Configuration follows the functions whose comment has the rarest word of the question.
 */
export function extractiveAnswer(
  question: string,
  passages: readonly Passage[],
  { limit = MOST_PLACES, isRanked = false }: QuoteOptions = {},
): readonly Quote[] {
  const { found, wanted } = readPassages(question, passages);
  const most = Math.max(0, ...found.map(({ covered }) => covered));
  const ordered = isRanked ? found : found.toSorted(byCoverage);
  const taken = afterFunctions(ordered, wanted).slice(0, limit);
  const shown = taken
    .filter(({ covered }, place) => {
      const isBest = isRanked && place === 0 && most > 0;
      return isBest || (covered > 0 && covered >= most * SHOWN_SHARE);
    })
    .slice(0, MOST_SHOWN);
  const brief = taken.filter((each) => !shown.includes(each));
  return [
    ...inCallOrder(
      shown.map((each) => fullQuote(each, wanted)),
      passages,
    ),
    ...brief.map((each) => briefQuote(each, wanted)),
  ];
}

function fullQuote({ passage, at, lines, asked }: ReadPassage, wanted: TermWeights): Quote {
  const { content, startLine, isProse = false } = passage;
  const place = (index: number) => (startLine === undefined ? undefined : startLine + index);
  const common = { passage: at, isBrief: false, calledBy: undefined };
  if (isProse) {
    const words = bestSentences(content, (text) => coveredBy(analyze(text), wanted));
    return { ...common, words, lines: [], line: startLine, endLine: place(lines.length - 1) };
  }
  const { text, definition } = docComment(lines);
  const window = bestWindow(asked, definition, wanted).start;
  // The definition's own lines are shown while they are near.
  const from = window - definition <= NEAR ? definition : window;
  const shown = trimBlank(lines.slice(from, Math.max(window, from) + WINDOW_LINES));
  const first = text === '' ? from : 0;
  const endLine = place(from + shown.length - 1);
  const words = bestSentences(text, (sentence) => coveredBy(analyze(sentence), wanted), IN_COMMENT);
  return { ...common, words, lines: shown, line: place(first), endLine };
}

/** Quotes one sentence, or one line for code without a comment. */
function briefQuote({ passage, at, lines, asked }: ReadPassage, wanted: TermWeights): Quote {
  const { content, startLine, isProse = false } = passage;
  const endLine = startLine === undefined ? undefined : startLine + lines.length - 1;
  const { text, definition } = isProse ? { text: content, definition: 0 } : docComment(lines);
  const place = { passage: at, isBrief: true, line: startLine, endLine, calledBy: undefined };
  const words = bestSentences(text, (sentence) => coveredBy(analyze(sentence), wanted), IN_BRIEF);
  if (words !== '' || isProse) return { ...place, words, lines: [] };
  const from = definition < lines.length ? definition : 0;
  const line = lines[bestWindow(asked, from, wanted, 1).start]?.trim() ?? '';
  const comment = commentWords(line);
  return { ...place, words: comment, lines: comment !== '' || line === '' ? [] : [line] };
}

/** Orders quotes best first; a passage that another one calls comes right after it. */
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
    new RegExp(
      `(?<![\\w$])(?<!\\b(?:function|def|fn|func|class)\\s+)${name.replaceAll('$', '\\$')}\\s*\\(`,
    ).test(content)
  );
}

function trimBlank(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return lines.slice(0, last + 1);
}
