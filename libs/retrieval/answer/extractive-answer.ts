import { analyze } from '../analysis/analyze.js';
import { analyzeQuery } from '../analysis/analyze-query.js';
import {
  bestWindow,
  coveredBy,
  rarityWeights,
  type TermWeights,
  WINDOW_LINES,
} from './best-window.js';
import { commentWords, docComment } from './doc-comment.js';
import { bestSentences, IN_BRIEF, IN_COMMENT } from './sentences.js';

/** A retrieved passage to quote from. */
export interface Passage {
  readonly content: string;
  /**
   * 1-based line of the passage's first line in its file; undefined where lines have no meaning.
   */
  readonly startLine: number | undefined;
  /** Name of the passage in its file. */
  readonly symbol?: string | undefined;
  /** Whether it is prose, which is quoted by sentences. Default: code. */
  readonly isProse?: boolean;
}

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
/**
 * Place in the search's order whose passage counts half: two that cover the question equally stay
 * in that order.
 */
const HALF_PLACE = 10;

/** A passage with its share of the question: each of its lines is analyzed once, here. */
interface ReadPassage {
  readonly passage: Passage;
  readonly at: number;
  readonly lines: readonly string[];
  /** Terms of the question in each of its lines, in their order. */
  readonly asked: readonly (readonly string[])[];
  /** Terms of the question in its name. */
  readonly named: readonly string[];
}

interface Candidate extends ReadPassage {
  /** Weight of the question's terms in its words and name. */
  readonly covered: number;
  /** The same for the lines that have most of it: near each other they belong together. */
  readonly together: number;
}

/**
 * Answers by quotations. The passage that covers most of the question comes first. It has its words
 * and the lines that cover most of the question, with the definition that they belong to. Further
 * passages follow in the same form while they cover half as much. The others are pointed to with a
 * sentence or a line each, even without a word of the question: they were found by meaning. Nothing
 * is rephrased, so nothing can be invented. A passage that another shown passage calls comes right
 * after it. @param limit most passages that are quoted
 */
export function extractiveAnswer(
  question: string,
  passages: readonly Passage[],
  limit = MOST_PLACES,
): readonly Quote[] {
  const terms = new Set(analyzeQuery(question).terms);
  const read = passages.map((passage, at) => readPassage(passage, at, terms));
  const wanted = rarityWeights(
    terms,
    read.map(({ named, asked }) => new Set([...named, ...asked.flat()])),
  );
  const found = read.map((each) => candidate(each, wanted));
  const most = Math.max(0, ...found.map(({ covered }) => covered));
  const taken = found.sort((a, b) => valueOf(b) - valueOf(a) || a.at - b.at).slice(0, limit);
  const shown = taken
    .filter(({ covered }) => covered > 0 && covered >= most * SHOWN_SHARE)
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

function valueOf({ covered, together, at }: Candidate): number {
  return (covered + together) / (1 + at / HALF_PLACE);
}

function readPassage(passage: Passage, at: number, terms: ReadonlySet<string>): ReadPassage {
  const askedIn = (text: string) => analyze(text).filter((term) => terms.has(term));
  const lines = passage.content.split('\n');
  return { passage, at, lines, asked: lines.map(askedIn), named: askedIn(passage.symbol ?? '') };
}

function candidate(read: ReadPassage, wanted: TermWeights): Candidate {
  const { named, asked } = read;
  const covered = coveredBy([...named, ...asked.flat()], wanted);
  return { ...read, covered, together: bestWindow(asked, 0, wanted).covered };
}

function fullQuote({ passage, at, lines, asked }: Candidate, wanted: TermWeights): Quote {
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
function briefQuote({ passage, at, lines, asked }: Candidate, wanted: TermWeights): Quote {
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
