import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import type { NoEvidence, SearchResponse } from '#contracts';
import { analyseQuery, type RankedChunk } from '#retrieval';
import type { Candidate } from '#search-index';

import type { Caller } from '../auth/caller.js';
import { HybridSearch, withoutEvidence } from './hybrid-search.js';
import { searchResponse } from './search-answer.js';
import type { SearchRequest } from './search-request.js';
import { withinBudget } from './within-budget.js';

/** Searches the live sources of the caller's tenant under its policy. */
export class Search extends Query<SearchResponse | NoEvidence> {
  constructor(
    readonly caller: Caller,
    readonly request: SearchRequest,
  ) {
    super();
  }
}

@QueryHandler(Search)
export class SearchHandler implements IQueryHandler<Search> {
  constructor(private readonly hybrid: HybridSearch) {}

  execute({ caller, request }: Search): Promise<SearchResponse | NoEvidence> {
    return this.hybrid.run(caller, request, async (run) => {
      const ranked = await this.hybrid.ranked(analyseQuery(request.query), run);
      const none = withoutEvidence(run, ranked);
      if (none) return none;
      const results = await this.hybrid.results(affordable(ranked.slice(0, request.top_k), request.max_tokens), run);
      const fitting = await withinBudget(results, request.max_tokens);
      return searchResponse(request, run.scope, run.policy, fitting, ranked, run.elapsed());
    });
  }
}

/** The chunks that a budget may return, so that no text is read in vain: those that fit, or the first, to be cut. */
function affordable(ranked: readonly RankedChunk<Candidate>[], maxTokens: number): readonly RankedChunk<Candidate>[] {
  let used = 0;
  const beyond = ranked.findIndex(({ candidate }) => (used += candidate.tokenCount) > maxTokens);
  return beyond === -1 ? ranked : ranked.slice(0, Math.max(1, beyond));
}
