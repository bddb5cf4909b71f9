import type { LinesWithTerms } from './terms-by-line.js';

/** Weights of the terms of a question. */
export type TermWeights = ReadonlyMap<string, number>;

/** Lines of a window. */
export const WINDOW_LINES = 8;

/**
 * Returns the weights of terms. A term that is rare in the passages is more specific than one in
 * all of them.
 *
 * @param passages the terms of each passage
 */
export function rarityWeights(
  terms: ReadonlySet<string>,
  passages: readonly ReadonlySet<string>[],
): TermWeights {
  return new Map(
    [...terms].map((term) => {
      const bearing = passages.filter((words) => words.has(term)).length;
      return [term, rarityWeight(passages.length, bearing)];
    }),
  );
}

/** Returns the weight of a term that some of the passages have. */
export function rarityWeight(passages: number, bearing: number): number {
  return Math.log(1 + (passages + 1) / (bearing + 0.5));
}

/** Returns the weight of terms together; each counts once. */
export function coveredBy(terms: Iterable<string>, wanted: TermWeights): number {
  let sum = 0;
  for (const term of new Set(terms)) sum += wanted.get(term) ?? 0;
  return sum;
}

/** Returns the weight of the terms of some lines together; each counts once. */
function coveredByLines(
  asked: readonly (readonly string[])[],
  from: number,
  to: number,
  wanted: TermWeights,
): number {
  const counted: string[] = [];
  let sum = 0;
  for (let line = from; line < Math.min(to, asked.length); line += 1) {
    for (const term of asked[line] ?? []) {
      if (counted.includes(term)) continue;
      counted.push(term);
      sum += wanted.get(term) ?? 0;
    }
  }
  return sum;
}

/**
 * Returns the lines that cover most together, from a definition on; the definition itself where no
 * line covers anything.
 *
 * @param asked terms of the question in each line
 */
export function bestWindow(
  asked: readonly (readonly string[])[],
  definition: number,
  wanted: TermWeights,
  length = WINDOW_LINES,
): { readonly start: number; readonly covered: number } {
  let best = { start: definition, covered: 0 };
  for (let start = definition; start < asked.length; start += 1) {
    if (asked[start]?.length === 0) continue;
    const covered = coveredByLines(asked, start, start + length, wanted);
    if (covered > best.covered) best = { start, covered };
  }
  return best;
}

/** Finds the windows of lines that cover most terms. */
export class WindowFinder {
  /** The window that last counted each term. */
  private readonly lastWindow: Int32Array;
  private windows = 0;

  /** @param weights of the terms, by their number */
  constructor(private readonly weights: readonly number[]) {
    this.lastWindow = new Int32Array(weights.length);
  }

  /** Returns the same as {@link bestWindow} from the first line on. */
  best({ lines, terms }: LinesWithTerms): { readonly start: number; readonly covered: number } {
    let start = 0;
    let most = 0;
    for (let from = 0; from < lines.length; from += 1) {
      const end = (lines[from] as number) + WINDOW_LINES;
      let covered = 0;
      this.windows += 1;
      for (let at = from; at < lines.length && (lines[at] as number) < end; at += 1) {
        for (const term of terms[at] as readonly number[]) {
          if (this.lastWindow[term] === this.windows) continue;
          this.lastWindow[term] = this.windows;
          covered += this.weights[term] as number;
        }
      }
      if (covered <= most) continue;
      most = covered;
      start = lines[from] as number;
    }
    return { start, covered: most };
  }
}
