import { analyze } from '#retrieval';

import type { ResearchPassage } from './action.types.js';

/** Weight of each term of a question among the found passages: rare terms weigh most. */
export type TermWeights = ReadonlyMap<string, number>;

/** Characters of a passage that are read. */
const MOST_CHARACTERS = 20_000;
const cache = new WeakMap<object, ReadonlySet<string>>();

/** Returns the terms of a passage: its text, its path and its symbol. */
export function passageTerms({ result }: ResearchPassage): ReadonlySet<string> {
  const known = cache.get(result);
  if (known) return known;
  const { content, citation } = result;
  const terms = new Set(
    analyze(`${citation.path} ${citation.symbol ?? ''} ${content.slice(0, MOST_CHARACTERS)}`),
  );
  cache.set(result, terms);
  return terms;
}

/** Weighs the terms of a question by their rarity among the passages. */
export function termWeights(
  terms: readonly string[],
  passages: readonly ResearchPassage[],
): TermWeights {
  return new Map(
    [...new Set(terms)].map((term) => {
      const having = passages.filter((passage) => passageTerms(passage).has(term)).length;
      return [term, Math.log(1 + (passages.length + 1) / (having + 0.5))];
    }),
  );
}

/** Returns the share of the question's weight that a passage covers, 0 to 1. */
export function coveredShare(passage: ResearchPassage, weights: TermWeights): number {
  const terms = passageTerms(passage);
  let covered = 0;
  let all = 0;
  for (const [term, weight] of weights) {
    all += weight;
    if (terms.has(term)) covered += weight;
  }
  return all === 0 ? 0 : covered / all;
}
