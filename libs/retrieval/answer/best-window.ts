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
      return [term, Math.log(1 + (passages.length + 1) / (bearing + 0.5))];
    }),
  );
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
