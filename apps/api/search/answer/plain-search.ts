import { Injectable } from '@nestjs/common';

import type { SearchResponse } from '#contracts';
import { analyseQuery, type RankedChunk } from '#retrieval';
import type { Candidate } from '#search-index';

import { HybridSearch, withoutEvidence, type SearchRun } from './hybrid-search.js';
import { searchResponse } from './search-answer.js';
import type { SearchMoment } from './search-moment.js';
import { scoresOf, type SearchOutcome } from './search-outcome.js';
import type { SearchRequest } from './search-request.js';
import { withinBudget } from './within-budget.js';

/** One hybrid search, answered under the policy. */
@Injectable()
export class PlainSearch {
  constructor(private readonly hybrid: HybridSearch) {}

  /** @param momentOf gives the moment to search at; asked again when content was replaced meanwhile. */
  run(request: SearchRequest, momentOf: () => SearchMoment): Promise<SearchOutcome<SearchResponse>> {
    return this.hybrid.run(request, momentOf, async (run) => {
      const ranked = await this.hybrid.ranked(analyseQuery(request.query), run);
      const answer = withoutEvidence(run, ranked) ?? (await this.answer(request, ranked, run));
      return {
        asked: { kind: 'search', request },
        moment: run.moment,
        models: [...run.models],
        answer,
        scores: scoresOf(answer, ranked, run),
      };
    });
  }

  private async answer(
    request: SearchRequest,
    ranked: readonly RankedChunk<Candidate>[],
    run: SearchRun,
  ): Promise<SearchResponse> {
    const results = await this.hybrid.results(affordable(ranked.slice(0, request.top_k), request.max_tokens), run);
    const fitting = await withinBudget(results, request.max_tokens);
    return searchResponse(request, run.scope, run.moment.policy, fitting, ranked, run.elapsed());
  }
}

/** The chunks that a budget may return, so that no text is read in vain: those that fit, or the first, to be cut. */
function affordable(ranked: readonly RankedChunk<Candidate>[], maxTokens: number): readonly RankedChunk<Candidate>[] {
  let used = 0;
  const beyond = ranked.findIndex(({ candidate }) => (used += candidate.tokenCount) > maxTokens);
  return beyond === -1 ? ranked : ranked.slice(0, Math.max(1, beyond));
}
