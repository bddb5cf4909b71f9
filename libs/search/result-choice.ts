import { MOST_PASSAGES } from '#contracts';
import {
  type AnalyzedQuery,
  choosePassages,
  type CorpusStatistics,
  type RankedChunk,
} from '#retrieval';
import type { Candidate } from '#search-index';

import { showsDefinitionAlone } from './cited-definition.js';
import type { SearchRequest } from './search-request.js';

/** Inputs of a choice besides the ranking. */
export interface Ranking {
  readonly request: SearchRequest;
  readonly query: AnalyzedQuery;
  readonly statistics: CorpusStatistics;
}

/**
 * Selects the ranked chunks to answer with, and their order. Results beyond the budget are cut off
 * in the end.
 */
export type ResultChoice = (
  ranked: readonly RankedChunk<Candidate>[],
  ranking: Ranking,
) => readonly RankedChunk<Candidate>[];

/**
 * As ranked, `top_k` of them. Of those only what a budget may return, so that few texts are read in
 * vain: those that fit, or the first, to be cut. What a definition takes that is shown in place of
 * its chunk is known with the text.
 */
export const asRanked: ResultChoice = (ranked, { request, query }) => {
  const first = ranked.slice(0, request.top_k);
  let used = 0;
  const leastOf = (candidate: Candidate): number =>
    showsDefinitionAlone(query, candidate) ? 1 : candidate.tokenCount;
  const beyond = first.findIndex(
    ({ candidate }) => (used += leastOf(candidate)) > request.max_tokens,
  );
  return beyond === -1 ? first : first.slice(0, Math.max(1, beyond));
};

/**
 * Selects the evidence for an answer in words: passages of `top_k` documents, as many as the budget
 * has room for.
 */
export const asPassages: ResultChoice = (ranked, { request: { top_k, max_tokens }, statistics }) =>
  choosePassages(ranked, statistics, {
    documents: top_k,
    tokens: max_tokens,
    passages: MOST_PASSAGES,
  });
