import { Injectable } from '@nestjs/common';

import type { MultiHopResponse, SearchResult } from '#contracts';
import type { RankedChunk } from '#retrieval';
import type { Candidate } from '#search-index';

import { HybridSearch, withoutEvidence, type SearchRun } from './hybrid-search.js';
import { NeighborExpansion, type ExpandedResult } from './neighbor-expansion.js';
import { searchResponse } from './search-answer.js';
import type { SearchMoment } from './search-moment.js';
import { scoresOf, type SearchOutcome } from './search-outcome.js';
import type { MultiHopRequest } from './search-request.js';
import { SearchRounds, type RoundsOutcome } from './search-rounds.js';
import { withinBudget } from './within-budget.js';

/** Searches in rounds, then shows what stands beside the best hits. */
@Injectable()
export class MultiHopSearch {
  constructor(
    private readonly hybrid: HybridSearch,
    private readonly rounds: SearchRounds,
    private readonly neighbors: NeighborExpansion,
  ) {}

  /** @param momentOf gives the moment to search at; asked again when content was replaced meanwhile. */
  run(request: MultiHopRequest, momentOf: () => SearchMoment): Promise<SearchOutcome<MultiHopResponse>> {
    return this.hybrid.run(request, momentOf, async (run) => {
      const found = await this.rounds.run(run);
      const answer = withoutEvidence(run, found.ranked) ?? (await this.answer(found, run));
      return {
        asked: { kind: 'rmh', request },
        moment: run.moment,
        models: [...run.models],
        answer,
        scores: scoresOf(answer, found.ranked, run),
      };
    });
  }

  private async answer(
    { ranked, rounds, seeds }: RoundsOutcome,
    run: SearchRun<MultiHopRequest>,
  ): Promise<MultiHopResponse> {
    const { request, scope, moment } = run;
    const offered = (await this.expanded(ranked, run)).slice(0, request.top_k);
    const results = await withinBudget(
      offered.map(({ result }) => result),
      request.max_tokens,
    );
    const shown = shownParts(offered, results);
    return {
      ...searchResponse(request, scope, moment.policy, results, ranked, run.elapsed()),
      rmh: {
        rounds_executed: rounds,
        seed_result_count: seeds,
        neighbors_added: shown.flat().filter(({ isNeighbor }) => isNeighbor).length,
        secondary_search_ran: rounds > 1,
        merged_chunk_count: shown.filter(({ length }) => length > 1).flat().length,
      },
    };
  }

  private async expanded(
    ranked: readonly RankedChunk<Candidate>[],
    run: SearchRun<MultiHopRequest>,
  ): Promise<ExpandedResult[]> {
    const hits = await this.hybrid.results(ranked.slice(0, run.request.top_k), run);
    if (!run.request.expand_neighbors) return hits.map((result) => ({ result, parts: [] }));
    const scores = new Map(ranked.map(({ candidate, score }) => [candidate.chunkId, score]));
    return this.neighbors.expand(hits, scores, run);
  }
}

/** The parts of each returned result, without those that the budget cut off. */
function shownParts(offered: readonly ExpandedResult[], results: readonly SearchResult[]): ExpandedResult['parts'][] {
  return results.map(({ citation }, at) =>
    (offered[at]?.parts ?? []).filter(({ startLine }) => startLine <= (citation.end_line ?? startLine)),
  );
}
