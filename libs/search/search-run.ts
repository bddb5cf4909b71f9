import type { ChunkFilter } from '#search-index';

import type { SearchMoment, UsedReranker, UsedSentences } from './search-moment.js';
import type { SearchRequest } from './search-request.js';
import type { SearchScope } from './search-scope.js';

/** A request that arrived. */
export interface BegunSearch<Request extends SearchRequest = SearchRequest> {
  readonly request: Request;
  readonly filter: ChunkFilter | undefined;
  /** Milliseconds since the request arrived. */
  readonly elapsed: () => number;
  /** Once it aborts, nothing further of the search begins. */
  readonly signal?: AbortSignal | undefined;
}

/** One search under the policy and over the generations of one moment. */
export interface SearchRun<
  Request extends SearchRequest = SearchRequest,
> extends BegunSearch<Request> {
  readonly moment: SearchMoment;
  readonly scope: SearchScope;
  /** Models that the query was embedded with so far. */
  readonly models: Set<string>;
  /** Vectors of queries by model and text: each is requested once. */
  readonly vectors: Map<string, Promise<Float32Array | null>>;
  /** Sentence vectors that the search used; undefined if none. */
  sentences?: UsedSentences;
  /** Reranker that received the passages; undefined if none did. */
  reranker?: UsedReranker;
}
