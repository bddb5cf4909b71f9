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

/** An answer with all that a receipt shows of it. */
export interface SearchOutcome<Answer extends SearchResponse = SearchResponse> {
  readonly asked: Asked;
  readonly moment: SearchMoment;
  /** Models that the query was embedded with. */
  readonly models: readonly string[];
  /** Sentence vectors that the search used; absent without any. */
  readonly sentences?: UsedSentences;
  /** Reranker that received the passages; absent if none did. */
  readonly reranker?: UsedReranker;
  readonly answer: Answer | NoEvidence;
  /** One a result, in the answer's order. */
  readonly scores: readonly ResultScores[];
}

/** Returns an answer, or the refusal of one, with its evidence. */
export function outcomeOf<Answer extends SearchResponse>(
  asked: Asked,
  run: SearchRun,
  answer: Answer | NoEvidence,
  ranked: readonly RankedChunk<Candidate>[],
): SearchOutcome<Answer> {
  return {
    asked,
    moment: run.moment,
    models: [...run.models],
    ...(run.sentences && { sentences: run.sentences }),
    ...(run.reranker && { reranker: run.reranker }),
    answer,
    scores: scoresOf(answer, ranked, run),
  };
}

/** Looks up the scores of what is answered among what was ranked. */
function scoresOf(
  answer: SearchOutcome['answer'],
  ranked: readonly RankedChunk<Candidate>[],
  { scope }: SearchRun,
): ResultScores[] {
  if (!('results' in answer)) return [];
  const wanted = new Set(answer.results.map(({ citation }) => citation.chunk_id));
  const found = new Map<string, LegScores>();
  for (const { candidate, legs } of ranked) {
    // Results are the first of the ranking, which lists a chunk once.
    if (found.size === wanted.size) break;
    const { chunkId } = candidate;
    if (wanted.has(chunkId)) found.set(chunkId, legs);
  }
  return answer.results.flatMap(
    ({ score, citation: { chunk_id: chunkId, source_id: sourceId } }) => {
      const scoped = scope.eligible.get(sourceId);
      if (!scoped) return [];
      const { priority, source } = scoped;
      return [
        {
          chunkId,
          sourceId,
          generation: source.generation,
          priority,
          legs: found.get(chunkId) ?? null,
          score,
        },
      ];
    },
  );
}
