import type { AnalysedQuery } from '../analysis/analyse-query.js';

/** From how many terms on a query without a name is read as a sentence, a little, and from how many wholly. */
const SENTENCE = { from: 3, whole: 6 };

/** How far a query is a sentence of people's words, by itself alone: 0 for a few words or one with a name, 1 for a whole sentence. */
export function sentenceShare({ text, terms, identifiers, capitalised }: AnalysedQuery): number {
  // The first word of a sentence is capitalised for its place.
  const named = identifiers.some((name) => !capitalised.has(name) || !text.trimStart().startsWith(name));
  if (named) return 0;
  return Math.min(1, Math.max(0, (terms.length - SENTENCE.from) / (SENTENCE.whole - SENTENCE.from)));
}
