import type { Embedder, Reranker, SentenceEncoder } from '#models';
import type { Clock, Config } from '#platform';
import type { SearchIndex } from '#search-index';

import { Conflicts } from './conflicts.js';
import { HybridSearch, type MissingContent } from './hybrid-search.js';
import { MultiHopSearch } from './multi-hop-search.js';
import { NeighborExpansion } from './neighbor-expansion.js';
import { QueryModels } from './query-models.js';
import { SearchRounds } from './search-rounds.js';
import { SearchSteps } from './search-steps.js';

export interface SearchDependencies {
  readonly index: SearchIndex;
  /** The configured embedder; the local models are added to it. */
  readonly embedder: Embedder;
  readonly missingContent: MissingContent;
  readonly clock: Clock;
  readonly config: Config;
  /** The installed sentence encoder; default: none. */
  readonly encoder?: SentenceEncoder | null;
  /** The configured reranker; default: none. */
  readonly reranker?: Reranker | null;
}

/** The searches of one process, over one index. */
export interface Searches {
  readonly models: QueryModels;
  readonly hybrid: HybridSearch;
  readonly multiHop: MultiHopSearch;
}

/** Assembles the searches. */
export function createSearches(dependencies: SearchDependencies): Searches {
  const { index, embedder, missingContent, clock, config, encoder, reranker } = dependencies;
  const models = new QueryModels(embedder, config);
  const conflicts = new Conflicts(index);
  const readers = { encoder: encoder ?? null, reranker: reranker ?? null };
  const steps = new SearchSteps(index, models, clock, readers);
  const hybrid = new HybridSearch(steps, conflicts, missingContent);
  const neighbors = new NeighborExpansion(index);
  const multiHop = new MultiHopSearch(hybrid, steps, new SearchRounds(steps), neighbors, conflicts);
  return { models, hybrid, multiHop };
}
