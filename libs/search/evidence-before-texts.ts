import type { SearchResult } from '#contracts';
import { type AnalyzedQuery, fitToBudget, type RankedChunk } from '#retrieval';
import type { Candidate } from '#search-index';

import { showsDefinitionAlone } from './cited-definition.js';
import { type Asked, evidenceOf, type SearchEvidence } from './search-outcome.js';
import type { SearchRun } from './search-run.js';

type Ranked = RankedChunk<Candidate>;

/** The choice whose evidence is looked for. */
interface Choice {
  readonly query: AnalyzedQuery;
  /** Selected chunks, in order. */
  readonly offered: readonly Ranked[];
  /** The ranking that they were selected from. */
  readonly ranked: readonly Ranked[];
}

/**
 * Returns the evidence of an answer before its texts are read. Undefined where the texts decide
 * which results fit the budget of tokens.
 */
export function evidenceBeforeTexts(
  asked: Asked,
  run: SearchRun,
  { query, offered, ranked }: Choice,
): SearchEvidence | undefined {
  const fitting = fittingBeforeTexts(query, offered, asked.request.max_tokens);
  if (!fitting) return undefined;
  const results = fitting.map(({ candidate: { chunkId, sourceId }, score }) => ({
    chunkId,
    sourceId,
    score,
  }));
  return evidenceOf(asked, run, results, ranked);
}

/** Returns whether results are those of the evidence, in its order. */
export function isEvidenceOf(
  { scores }: SearchEvidence,
  results: readonly SearchResult[],
): boolean {
  return (
    scores.length === results.length &&
    scores.every(({ chunkId }, at) => results[at]?.citation.chunk_id === chunkId)
  );
}

/**
 * A chunk that is cut to the budget depends on its text, and so does one of which a definition is
 * shown. The latter fits where the whole chunk does.
 */
function fittingBeforeTexts(
  query: AnalyzedQuery,
  offered: readonly Ranked[],
  maxTokens: number,
): readonly Ranked[] | undefined {
  const [first] = offered;
  if (!first || first.candidate.tokenCount > maxTokens) return undefined;
  const counted = offered.map((chunk) => ({
    chunk,
    content: '',
    token_count: chunk.candidate.tokenCount,
    citation: {},
  }));
  const fitting = fitToBudget(counted, maxTokens, () => 0).map(({ chunk }) => chunk);
  const isCertain =
    fitting.length === offered.length ||
    !offered.some(({ candidate }) => showsDefinitionAlone(query, candidate));
  return isCertain ? fitting : undefined;
}
