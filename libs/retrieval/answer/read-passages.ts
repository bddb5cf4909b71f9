import { analyze } from '../analysis/analyze.js';
import { analyzeQuery } from '../analysis/analyze-query.js';
import { bestWindow, coveredBy, rarityWeights, type TermWeights } from './best-window.js';

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
  /** Whether it is configuration, such as YAML. Default: it is not. */
  readonly isConfiguration?: boolean;
}

/** A passage with its share of a question. */
export interface ReadPassage {
  readonly passage: Passage;
  /** Index of the passage. */
  readonly at: number;
  readonly lines: readonly string[];
  /** Terms of the question in each of its lines, in their order. */
  readonly asked: readonly (readonly string[])[];
  /** Terms of the question in its name. */
  readonly named: readonly string[];
  /** Weight of the question's terms in its words and name. */
  readonly covered: number;
  /** The same for the lines that have most of it: near each other they belong together. */
  readonly together: number;
}

/** Passages that were read for a question. */
export interface ReadPassages {
  /** In the given order. */
  readonly found: readonly ReadPassage[];
  /** Weights of the question's terms: the rarer in the passages, the higher. */
  readonly wanted: TermWeights;
}

/** Reads passages for a question. Each line is analyzed once, here. */
export function readPassages(question: string, passages: readonly Passage[]): ReadPassages {
  const terms = new Set(analyzeQuery(question).terms);
  const askedIn = (text: string) => analyze(text).filter((term) => terms.has(term));
  const read = passages.map((passage, at) => {
    const lines = passage.content.split('\n');
    return { passage, at, lines, asked: lines.map(askedIn), named: askedIn(passage.symbol ?? '') };
  });
  const wanted = rarityWeights(
    terms,
    read.map(({ named, asked }) => new Set([...named, ...asked.flat()])),
  );
  const found = read.map((each): ReadPassage => {
    const covered = coveredBy([...each.named, ...each.asked.flat()], wanted);
    return { ...each, covered, together: bestWindow(each.asked, 0, wanted).covered };
  });
  return { found, wanted };
}
