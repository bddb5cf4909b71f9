import type { AnalysedQuery } from '../analysis/analyse-query.js';

/** From how many terms on a query is read as a sentence, a little, and from how many wholly. */
const SENTENCE = { from: 3, whole: 6 };

/**
 * How far a query is a sentence, by its number of terms: 0 for a few words or a name of however
 * many parts, 1 for a whole one.
 */
export function sentenceShare({ identifier, terms }: AnalysedQuery): number {
  if (identifier !== undefined) return 0;
  return Math.min(
    1,
    Math.max(0, (terms.length - SENTENCE.from) / (SENTENCE.whole - SENTENCE.from)),
  );
}

/** How far a query is a sentence of people's words alone: 0 also where it has a name in it. */
export function plainSentenceShare(query: AnalysedQuery): number {
  const { text, identifiers, capitalised } = query;
  // The first word of a sentence is capitalised for its place.
  const named = identifiers.some(
    (name) => !capitalised.has(name) || !text.trimStart().startsWith(name),
  );
  return named ? 0 : sentenceShare(query);
}
