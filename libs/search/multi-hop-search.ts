import type { MultiHopResponse, MultiHopSummary, SearchResult } from '#contracts';
import { analyzeQuery, type RankedChunk } from '#retrieval';
import type { Candidate } from '#search-index';

import { Conflicts } from './conflicts.js';
import { type HybridSearch, withoutEvidence } from './hybrid-search.js';
import { type ExpandedResult, NeighborExpansion } from './neighbor-expansion.js';
import { searchResponse } from './search-answer.js';
import type { SearchMoment } from './search-moment.js';
import { outcomeOf, type SearchOutcome } from './search-outcome.js';
import type { MultiHopRequest } from './search-request.js';
import { SearchRounds } from './search-rounds.js';
import type { BegunSearch, SearchRun } from './search-run.js';
import { SearchSteps } from './search-steps.js';
import { withinBudget } from './within-budget.js';

/** Searches in rounds, then shows what is next to the best hits. */
export class MultiHopSearch {
  constructor(
    private readonly hybrid: Pick<HybridSearch, 'momentAfter'>,
    private readonly steps: SearchSteps,
    private readonly rounds: SearchRounds,
    private readonly neighbors: NeighborExpansion,
    private readonly conflicts: Conflicts,
  ) {}

  /**
   * @param momentOf returns the moment to search at; called again when content was replaced in
   * between, or cannot be loaded.
   * @throws the reason of the signal; what runs in the index ends by itself.
   */
  async run(
    request: MultiHopRequest,
    momentOf: () => SearchMoment,
    signal?: AbortSignal,
  ): Promise<SearchOutcome<MultiHopResponse>> {
    const begun = this.steps.begin(request, signal);
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
    const run = this.steps.scope(begun, moment);
    const { ranked, rounds, seeds } = await this.rounds.run(run);
    const refusal = withoutEvidence(run, ranked.length, ranked[0]?.score);
    if (refusal) return outcomeOf<MultiHopResponse>({ kind: 'rmh', request }, run, refusal, ranked);
    const offered = await this.steps.results(
      ranked.slice(0, request.top_k),
      analyzeQuery(request.query),
      run,
    );
    const hits = await withinBudget(offered, request.max_tokens);
    const expanded = await this.expanded(hits, offered, ranked, run);
    const results = expanded.map(({ result }) => result);
    const rmh = summaryOf(expanded, rounds, seeds);
    const shown = { results, hits, conflicts: await this.conflicts.among(results, ranked, run) };
    const response = searchResponse(request, run.scope, moment.policy, shown, run.elapsed());
    return outcomeOf({ kind: 'rmh', request }, run, { ...response, rmh }, ranked);
  }

  /** @param hits those of `offered` that the budget has room for */
  private async expanded(
    hits: readonly SearchResult[],
    offered: readonly SearchResult[],
    ranked: readonly RankedChunk<Candidate>[],
    run: SearchRun<MultiHopRequest>,
  ): Promise<readonly ExpandedResult[]> {
    const isCut = hits[0]?.content !== offered[0]?.content;
    if (isCut || !run.request.expand_neighbors)
      return hits.map((result) => ({ result, parts: [] }));
    const scores = new Map(ranked.map(({ candidate, score }) => [candidate.chunkId, score]));
    return this.neighbors.expand(hits, scores, run);
  }
}

function summaryOf(
  shown: readonly ExpandedResult[],
  rounds: number,
  seeds: number,
): MultiHopSummary {
  const parts = shown.map((result) => result.parts);
  return {
    rounds_executed: rounds,
    seed_result_count: seeds,
    neighbors_added: parts.flat().filter(({ isNeighbor }) => isNeighbor).length,
    secondary_search_ran: rounds > 1,
    merged_chunk_count: parts.filter(({ length }) => length > 1).flat().length,
  };
}
