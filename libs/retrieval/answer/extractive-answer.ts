import { analyse } from '../analysis/analyse.js';
import { analyseQuery } from '../analysis/analyse-query.js';
import { commentWords, docComment } from './doc-comment.js';
import { bestSentences, IN_BRIEF, IN_COMMENT } from './sentences.js';

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
  /** Shown at length, or pointed to with one sentence or line. */
  readonly isBrief: boolean;
  /**
   * What the passage says in words: its doc comment, or its best sentences; empty where it says
   * nothing.
   */
  readonly words: string;
  /** Lines of code; none of prose. Of a brief quote without words the one line that says most. */
  readonly lines: readonly string[];
  /** Line of the first quoted line in its file; of a brief quote the passage's first. */
  readonly line: number | undefined;
  /** Last quoted line, of prose and of a brief quote the passage's last. */
  readonly endLine: number | undefined;
  /**
   * Index of an earlier quoted passage that names this one's definition as one names what one
   * calls.
   */
  readonly calledBy: number | undefined;
}

const WINDOW_LINES = 8;
/** A definition's first lines that are shown with lines further down. */
const NEAR = 4;
/** Places that a person still looks through. */
const MOST_PLACES = 16;
/** Of them those that are shown at length. */
const MOST_SHOWN = 3;
/**
 * A passage that covers less of the question than this share of what the best one does is pointed
 * to, not shown.
 */
const SHOWN_SHARE = 0.5;
/**
 * The place of the search's order whose passage counts half: two that cover the question alike stay
 * in that order.
 */
const HALF_PLACE = 10;

/** A passage with what it has of the question: each of its lines is analysed once, here. */
interface ReadPassage {
  readonly passage: Passage;
  readonly at: number;
  readonly lines: readonly string[];
  /** Terms of the question in each of its lines, in their order. */
  readonly asked: readonly (readonly string[])[];
  /** The same of its name. */
  readonly named: readonly string[];
}

type Weights = ReadonlyMap<string, number>;

interface Candidate extends ReadPassage {
  /** What its words and name have of the question, by weight. */
  readonly covered: number;
  /** The same of the lines that have most of it: near each other they belong together. */
  readonly together: number;
}

/**
 * Answers by quoting. The passage that covers most of the question comes first, with what it says
 * in words and the lines that cover most of it with the definition that they belong to; further
 * ones follow alike while they cover half as much, and what is left is pointed to with a sentence
 * or a line each, also where it shares no word with the question: it was found by its meaning.
 * Nothing is put into other words, so nothing can be made up. What another passage shown calls
 * comes right after it.
 * @param limit how many passages are quoted at most
 */
export function extractiveAnswer(
  question: string,
  passages: readonly Passage[],
  limit = MOST_PLACES,
): readonly Quote[] {
  const terms = new Set(analyseQuery(question).terms);
  const read = passages.map((passage, at) => readPassage(passage, at, terms));
  const wanted = weights(terms, read);
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
  const askedIn = (text: string) => analyse(text).filter((term) => terms.has(term));
  const lines = passage.content.split('\n');
  return { passage, at, lines, asked: lines.map(askedIn), named: askedIn(passage.symbol ?? '') };
}

/** What rarely stands in the passages tells more than what stands in all of them. */
function weights(terms: ReadonlySet<string>, passages: readonly ReadPassage[]): Weights {
  const own = passages.map(({ named, asked }) => new Set([...named, ...asked.flat()]));
  return new Map(
    [...terms].map((term) => {
      const bearing = own.filter((words) => words.has(term)).length;
      return [term, Math.log(1 + (passages.length + 1) / (bearing + 0.5))];
    }),
  );
}

function candidate(read: ReadPassage, wanted: Weights): Candidate {
  const { named, asked } = read;
  const covered = coveredBy([...named, ...asked.flat()], wanted);
  return { ...read, covered, together: bestWindow(asked, 0, wanted).covered };
}

function fullQuote({ passage, at, lines, asked }: Candidate, wanted: Weights): Quote {
  const { content, startLine, isProse = false } = passage;
  const place = (index: number) => (startLine === undefined ? undefined : startLine + index);
  const common = { passage: at, isBrief: false, calledBy: undefined };
  if (isProse) {
    const words = bestSentences(content, (text) => coveredBy(analyse(text), wanted));
    return { ...common, words, lines: [], line: startLine, endLine: place(lines.length - 1) };
  }
  const { text, definition } = docComment(lines);
  const window = bestWindow(asked, definition, wanted).start;
  // The definition's own lines belong to what is shown of it while they are near.
  const from = window - definition <= NEAR ? definition : window;
  const shown = trimBlank(lines.slice(from, Math.max(window, from) + WINDOW_LINES));
  const first = text === '' ? from : 0;
  const endLine = place(from + shown.length - 1);
  const words = bestSentences(text, (sentence) => coveredBy(analyse(sentence), wanted), IN_COMMENT);
  return { ...common, words, lines: shown, line: place(first), endLine };
}

/** One sentence, of code without a comment its one line. */
function briefQuote({ passage, at, lines, asked }: Candidate, wanted: Weights): Quote {
  const { content, startLine, isProse = false } = passage;
  const endLine = startLine === undefined ? undefined : startLine + lines.length - 1;
  const { text, definition } = isProse ? { text: content, definition: 0 } : docComment(lines);
  const place = { passage: at, isBrief: true, line: startLine, endLine, calledBy: undefined };
  const words = bestSentences(text, (sentence) => coveredBy(analyse(sentence), wanted), IN_BRIEF);
  if (words !== '' || isProse) return { ...place, words, lines: [] };
  const from = definition < lines.length ? definition : 0;
  const line = lines[bestWindow(asked, from, wanted, 1).start]?.trim() ?? '';
  const comment = commentWords(line);
  return { ...place, words: comment, lines: comment !== '' || line === '' ? [] : [line] };
}

function coveredBy(terms: Iterable<string>, wanted: Weights): number {
  let sum = 0;
  for (const term of new Set(terms)) sum += wanted.get(term) ?? 0;
  return sum;
}

/**
 * The lines that cover most together, from a definition on; the definition itself where no line
 * covers anything.
 */
function bestWindow(
  asked: readonly (readonly string[])[],
  definition: number,
  wanted: Weights,
  length = WINDOW_LINES,
): { readonly start: number; readonly covered: number } {
  let best = { start: definition, covered: 0 };
  for (let start = definition; start < asked.length; start += 1) {
    if (asked[start]?.length === 0) continue;
    const covered = coveredBy(asked.slice(start, start + length).flat(), wanted);
    if (covered > best.covered) best = { start, covered };
  }
  return best;
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
    new RegExp(
      `(?<![\\w$])(?<!\\b(?:function|def|fn|func|class)\\s+)${name.replaceAll('$', '\\$')}\\s*\\(`,
    ).test(content)
  );
}

function trimBlank(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return lines.slice(0, last + 1);
}
