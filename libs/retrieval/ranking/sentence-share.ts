import type { AnalysedQuery } from '../analysis/analyse-query.js';
import { WEIGHTS } from './weights.js';

/**
 * How far a query is a sentence, by its number of terms: 0 for a few words or a name of however
 * many parts, 1 for a whole one.
 */
export function sentenceShare({ identifier, terms }: AnalysedQuery): number {
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

/** How far a query is a sentence of people's words alone: 0 also where it has a name in it. */
export function plainSentenceShare(query: AnalysedQuery): number {
  const { text, identifiers, capitalised } = query;
  // The first word of a sentence is capitalised for its place.
  const named = identifiers.some(
    (name) => !capitalised.has(name) || !text.trimStart().startsWith(name),
  );
  return named ? 0 : sentenceShare(query);
}
