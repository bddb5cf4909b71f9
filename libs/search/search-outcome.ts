import type { NoEvidence, SearchResponse } from '#contracts';
import type { LegScores, RankedChunk } from '#retrieval';
import type { Candidate } from '#search-index';

import type { SearchMoment, UsedReranker, UsedSentences } from './search-moment.js';
import type { MultiHopRequest, SearchRequest } from './search-request.js';
import type { SearchRun } from './search-run.js';

/** The evidence of one result. */
export interface ResultScores {
  readonly chunkId: string;
  readonly sourceId: string;
  readonly generation: number;
  /** The policy's priority of the source. */
  readonly priority: number;
  /** Null for a chunk that no search found: it is next to one that was. */
  readonly legs: LegScores | null;
  readonly score: number;
}

/** The request, by kind. */
export type Asked =
  | { readonly kind: 'search'; readonly request: SearchRequest }
  | { readonly kind: 'rmh'; readonly request: MultiHopRequest }
  /** A search for what the question of a chat asks, and the question as it was typed. */
  | { readonly kind: 'chat'; readonly request: SearchRequest; readonly question: string };

/** Everything that a receipt shows of a search; it does not depend on texts. */
export interface SearchEvidence {
  readonly asked: Asked;
  readonly moment: SearchMoment;
  /** Models that the query was embedded with. */
  readonly models: readonly string[];
  /** Sentence vectors that the search used; absent without any. */
  readonly sentences?: UsedSentences;
  /** Reranker that received the passages; absent if none did. */
  readonly reranker?: UsedReranker;
  /** False for the refusal of an answer. */
  readonly isAnswered: boolean;
  /** One a result, in the answer's order. */
  readonly scores: readonly ResultScores[];
}

/** An answer with its evidence. */
export interface SearchOutcome<
  Answer extends SearchResponse = SearchResponse,
> extends SearchEvidence {
  readonly answer: Answer | NoEvidence;
}

/** A chunk that is a result, and its score. */
export type ScoredChunk = Pick<ResultScores, 'chunkId' | 'sourceId' | 'score'>;

/** Returns an answer, or the refusal of one, with its evidence. */
export function outcomeOf<Answer extends SearchResponse>(
  asked: Asked,
  run: SearchRun,
  answer: Answer | NoEvidence,
  ranked: readonly RankedChunk<Candidate>[],
): SearchOutcome<Answer> {
  const results =
    'results' in answer
      ? answer.results.map(({ score, citation }): ScoredChunk => ({
          chunkId: citation.chunk_id,
          sourceId: citation.source_id,
          score,
        }))
      : null;
  return { ...evidenceOf(asked, run, results, ranked), answer };
}

/** @param results in the order of the answer; null for the refusal of one. */
export function evidenceOf(
  asked: Asked,
  run: SearchRun,
  results: readonly ScoredChunk[] | null,
  ranked: readonly RankedChunk<Candidate>[],
): SearchEvidence {
  return {
    asked,
    moment: run.moment,
    models: [...run.models],
    ...(run.sentences && { sentences: run.sentences }),
    ...(run.reranker && { reranker: run.reranker }),
    isAnswered: results !== null,
    scores: scoresOf(results ?? [], ranked, run),
  };
}

/** Looks up the scores of what is answered among what was ranked. */
function scoresOf(
  results: readonly ScoredChunk[],
  ranked: readonly RankedChunk<Candidate>[],
  { scope }: SearchRun,
): ResultScores[] {
  const wanted = new Set(results.map(({ chunkId }) => chunkId));
  const found = new Map<string, LegScores>();
  for (const { candidate, legs } of ranked) {
    // Results are the first of the ranking, which lists a chunk once.
    if (found.size === wanted.size) break;
    const { chunkId } = candidate;
    if (wanted.has(chunkId)) found.set(chunkId, legs);
  }
  return results.flatMap(({ chunkId, sourceId, score }) => {
    const scoped = scope.eligible.get(sourceId);
    if (!scoped) return [];
    const { priority, source } = scoped;
    const { generation } = source;
    return [{ chunkId, sourceId, generation, priority, legs: found.get(chunkId) ?? null, score }];
  });
}
