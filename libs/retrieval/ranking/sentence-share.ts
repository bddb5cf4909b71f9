import type { AnalyzedQuery } from '../analysis/analyze-query.js';
import { WEIGHTS } from './weights.js';

/**
 * Returns the degree to which a query is a sentence, by its number of terms. It is 0 for a few
 * words or a name of any number of parts, 1 for a whole sentence.
 */
export function sentenceShare({ identifier, terms }: AnalyzedQuery): number {
  if (identifier !== undefined) return 0;
  return Math.min(
    1,
    Math.max(
      0,
      (terms.length - WEIGHTS.sentenceFromTerms) /
        (WEIGHTS.sentenceFullTerms - WEIGHTS.sentenceFromTerms),
    ),
  );
}

/**
 * Returns the degree to which the terms of a query describe a place together. It is that of a
 * sentence, and lower if the query contains a name, which finds its place alone.
 */
export function coverageShare(query: AnalyzedQuery): number {
  return Math.max(plainSentenceShare(query), WEIGHTS.coverageWithName * sentenceShare(query));
}

/**
 * Returns the degree to which a query is a sentence of ordinary words only: 0 also if it contains a
 * name.
 */
export function plainSentenceShare(query: AnalyzedQuery): number {
  const { text, identifiers, capitalised } = query;
  // The first word of a sentence is capitalized because of its place.
  const named = identifiers.some(
    (name) => !capitalised.has(name) || !text.trimStart().startsWith(name),
  );
  return named ? 0 : sentenceShare(query);
}
