import type { Embedder, SentenceEncoder } from '#models';
import type { Clock, Config } from '#platform';
import type { SearchIndex } from '#search-index';

import { Conflicts } from './conflicts.js';
import { HybridSearch, type MissingContent } from './hybrid-search.js';
import { MultiHopSearch } from './multi-hop-search.js';
import { NeighborExpansion } from './neighbor-expansion.js';
import { QueryModels } from './query-models.js';
import { SearchRounds } from './search-rounds.js';

export interface SearchDependencies {
  readonly index: SearchIndex;
  /** The configured embedder; the local models are added to it. */
  readonly embedder: Embedder;
  readonly missingContent: MissingContent;
  readonly clock: Clock;
  readonly config: Config;
  /** The installed sentence encoder; default: none. */
  readonly encoder?: SentenceEncoder | null;
}

/** The searches of one process, over one index. */
export interface Searches {
  readonly models: QueryModels;
  readonly hybrid: HybridSearch;
  readonly multiHop: MultiHopSearch;
}

/** Assembles the searches. */
export function createSearches(dependencies: SearchDependencies): Searches {
  const { index, embedder, missingContent, clock, config, encoder } = dependencies;
  const models = new QueryModels(embedder, config);
  const conflicts = new Conflicts(index);
  const hybrid = new HybridSearch(index, models, conflicts, missingContent, clock, encoder);
  const neighbors = new NeighborExpansion(index);
  const multiHop = new MultiHopSearch(hybrid, new SearchRounds(hybrid), neighbors, conflicts);
  return { models, hybrid, multiHop };
}
