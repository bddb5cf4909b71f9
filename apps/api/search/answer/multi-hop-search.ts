import { Injectable } from '@nestjs/common';

import type { MultiHopResponse, MultiHopSummary, SearchResult } from '#contracts';
import type { RankedChunk } from '#retrieval';
import type { Candidate } from '#search-index';

import { HybridSearch, withoutEvidence } from './hybrid-search.js';
import { NeighborExpansion, type ExpandedResult } from './neighbor-expansion.js';
import { searchResponse } from './search-answer.js';
import type { SearchMoment } from './search-moment.js';
import { outcomeOf, type SearchOutcome } from './search-outcome.js';
import type { MultiHopRequest } from './search-request.js';
import { SearchRounds } from './search-rounds.js';
import type { BegunSearch, SearchRun } from './search-run.js';
import { withinBudget } from './within-budget.js';

/** Searches in rounds, then shows what stands beside the best hits. */
@Injectable()
export class MultiHopSearch {
  constructor(
    private readonly hybrid: HybridSearch,
    private readonly rounds: SearchRounds,
    private readonly neighbors: NeighborExpansion,
  ) {}

  /**
   * @param momentOf gives the moment to search at; asked again when content was replaced meanwhile, or turned out to be
   * content that cannot be loaded.
   */
  async run(request: MultiHopRequest, momentOf: () => SearchMoment): Promise<SearchOutcome<MultiHopResponse>> {
    const begun = this.hybrid.begin(request);
    const moment = momentOf();
    try {
      return await this.answer(begun, moment);
    } catch (error) {
      return this.answer(begun, await this.hybrid.momentAfter(error, moment, momentOf));
    }
  }

  private async answer(
    begun: BegunSearch<MultiHopRequest>,
    moment: SearchMoment,
  ): Promise<SearchOutcome<MultiHopResponse>> {
    const { request } = begun;
    const run = this.hybrid.scope(begun, moment);
    const { ranked, rounds, seeds } = await this.rounds.run(run);
    const refusal = withoutEvidence(run, ranked);
    if (refusal) return outcomeOf<MultiHopResponse>({ kind: 'rmh', request }, run, refusal, ranked);
    const offered = (await this.expanded(ranked, run)).slice(0, request.top_k);
    const results = await withinBudget(
      offered.map(({ result }) => result),
      request.max_tokens,
    );
    const rmh = summaryOf(shownParts(offered, results), rounds, seeds);
    const response = searchResponse(request, run.scope, moment.policy, results, ranked, run.elapsed());
    return outcomeOf({ kind: 'rmh', request }, run, { ...response, rmh }, ranked);
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

function summaryOf(shown: readonly ExpandedResult['parts'][], rounds: number, seeds: number): MultiHopSummary {
  return {
    rounds_executed: rounds,
    seed_result_count: seeds,
    neighbors_added: shown.flat().filter(({ isNeighbor }) => isNeighbor).length,
    secondary_search_ran: rounds > 1,
    merged_chunk_count: shown.filter(({ length }) => length > 1).flat().length,
  };
}

/** The parts of each returned result, without those that the budget cut off. */
function shownParts(offered: readonly ExpandedResult[], results: readonly SearchResult[]): ExpandedResult['parts'][] {
  return results.map(({ citation }, at) =>
    (offered[at]?.parts ?? []).filter(({ startLine }) => startLine <= (citation.end_line ?? startLine)),
  );
}
