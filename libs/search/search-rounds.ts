import { analyzeQuery, chooseHopTerms, hopWords, joinRounds, type RankedChunk } from '#retrieval';
import type { Candidate } from '#search-index';

import type { MultiHopRequest } from './search-request.js';
import type { SearchRun } from './search-run.js';
import { SearchSteps } from './search-steps.js';

export interface RoundsOutcome {
  /** Results of all rounds, best first. */
  readonly ranked: readonly RankedChunk<Candidate>[];
  /** Hybrid searches that ran, the seed search included. */
  readonly rounds: number;
  /** Results that the seed search alone would have, at most `top_k`. */
  readonly seeds: number;
}

/**
 * A search on the query, then on the query with words of the best chunk that no hop has started
 * from yet. Ends after `max_rounds` searches, when the best `top_k` stay the same, or when there is
 * nothing to add to the query.
 */
export class SearchRounds {
  constructor(private readonly steps: SearchSteps) {}

  async run(run: SearchRun<MultiHopRequest>): Promise<RoundsOutcome> {
    const { query: text, top_k: topK, max_rounds: most, secondary_search: goesOn } = run.request;
    const query = analyzeQuery(text);
    const found = await this.steps.ranked(query, run);
    let ranked = await this.steps.passages(query, found, found?.all() ?? [], run);
    const seeds = Math.min(ranked.length, topK);
    const origins = new Set<string>();
    let rounds = 1;
    while (goesOn && rounds < most) {
      const origin = ranked.slice(0, topK).find(({ candidate }) => !origins.has(candidate.chunkId));
      if (!origin) break;
      origins.add(origin.candidate.chunkId);
      const added = await this.hopTerms(origin, query, run);
      if (added.length === 0) break;
      const further = analyzeQuery(`${text} ${added.join(' ')}`);
      const hop = await this.steps.ranked(further, run, true);
      rounds += 1;
      const joined = joinRounds(ranked, hop?.all() ?? [], origin);
      const changed = bestOf(joined, topK) !== bestOf(ranked, topK);
      ranked = joined;
      if (!changed) break;
    }
    return { ranked, rounds, seeds };
  }

  private async hopTerms(
    origin: RankedChunk<Candidate>,
    query: ReturnType<typeof analyzeQuery>,
    run: SearchRun,
  ): Promise<string[]> {
    const [content] = await this.steps.contents([origin], run);
    const { symbol, defs } = origin.candidate;
    const words = hopWords({ content: content ?? '', symbol, defs }, query);
    if (words.length === 0) return [];
    const terms = words.map(({ term }) => term);
    return chooseHopTerms(words, await this.steps.statistics(terms, run));
  }
}

function bestOf(ranked: readonly RankedChunk<Candidate>[], topK: number): string {
  return ranked
    .slice(0, topK)
    .map(({ candidate }) => candidate.chunkId)
    .join();
}
