import { SearchFields, SearchResponseView } from './search.dto.js';
import type { MultiHopResponse, MultiHopSummary } from './search.types.js';
import { Flag, WholeNumber } from './validation/number.js';
import { Optional } from './validation/rule.js';

export class MultiHopSearchBody extends SearchFields {
  /** Maximum number of hybrid searches, the first included. */
  @Optional()
  @WholeNumber(1, 3)
  max_rounds: number = 2;

  /** Lines around each hit from which further chunks of its file are taken. */
  @Optional()
  @WholeNumber(0, 500)
  neighbor_line_radius: number = 80;

  /** False leaves each hit as it is: no neighbors are added and nothing is joined. */
  @Optional()
  @Flag()
  expand_neighbors: boolean = true;

  /** False ends after the first search; true goes on with the query and words of the best hits. */
  @Optional()
  @Flag()
  secondary_search: boolean = true;
}

/** Summary of the search; counts refer to the chunks in the answer. */
export class MultiHopSummaryView implements MultiHopSummary {
  /** Hybrid searches that ran, the first included. */
  rounds_executed: number;
  /** Results of the first search, at most `top_k`. */
  seed_result_count: number;
  /** Chunks in the answer that were added only as neighbors of a hit. */
  neighbors_added: number;
  secondary_search_ran: boolean;
  /** Chunks in the answer that were joined with others into one result. */
  merged_chunk_count: number;
}

export class MultiHopResponseView extends SearchResponseView implements MultiHopResponse {
  rmh: MultiHopSummaryView;
}
