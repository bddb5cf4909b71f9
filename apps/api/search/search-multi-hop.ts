import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import type { MultiHopResponse, NoEvidence, SearchResult } from '#contracts';

import type { Caller } from '../auth/caller.js';
import { HybridSearch, withoutEvidence } from './hybrid-search.js';
import { NeighborExpansion, type ExpandedResult } from './neighbor-expansion.js';
import { searchResponse } from './search-answer.js';
import type { MultiHopRequest } from './search-request.js';
import { SearchRounds } from './search-rounds.js';
import { withinBudget } from './within-budget.js';

/** Searches as `Search` does, then follows what the best hits name and shows what stands beside them. */
export class SearchMultiHop extends Query<MultiHopResponse | NoEvidence> {
  constructor(
    readonly caller: Caller,
    readonly request: MultiHopRequest,
  ) {
    super();
  }
}

@QueryHandler(SearchMultiHop)
export class SearchMultiHopHandler implements IQueryHandler<SearchMultiHop> {
  constructor(
    private readonly hybrid: HybridSearch,
    private readonly rounds: SearchRounds,
    private readonly neighbors: NeighborExpansion,
  ) {}

  execute({ caller, request }: SearchMultiHop): Promise<MultiHopResponse | NoEvidence> {
    return this.hybrid.run(caller, request, async (run) => {
      const { ranked, rounds, seeds } = await this.rounds.run(run);
      const none = withoutEvidence(run, ranked);
      if (none) return none;
      const hits = await this.hybrid.results(ranked.slice(0, request.top_k), run);
      const scores = new Map(ranked.map(({ candidate, score }) => [candidate.chunkId, score]));
      const expanded = request.expand_neighbors
        ? await this.neighbors.expand(hits, scores, run)
        : hits.map((result): ExpandedResult => ({ result, parts: [] }));
      const offered = expanded.slice(0, request.top_k);
      const results = await withinBudget(
        offered.map(({ result }) => result),
        request.max_tokens,
      );
      const shown = shownParts(offered, results);
      return {
        ...searchResponse(request, run.scope, run.policy, results, ranked, run.elapsed()),
        rmh: {
          rounds_executed: rounds,
          seed_result_count: seeds,
          neighbors_added: shown.flat().filter(({ isNeighbor }) => isNeighbor).length,
          secondary_search_ran: rounds > 1,
          merged_chunk_count: shown.filter(({ length }) => length > 1).flat().length,
        },
      };
    });
  }
}

/** The parts of each returned result, without those that the budget cut off. */
function shownParts(offered: readonly ExpandedResult[], results: readonly SearchResult[]): ExpandedResult['parts'][] {
  return results.map(({ citation }, at) =>
    (offered[at]?.parts ?? []).filter(({ startLine }) => startLine <= (citation.end_line ?? startLine)),
  );
}
