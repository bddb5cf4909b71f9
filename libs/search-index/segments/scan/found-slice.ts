import type { ScoreContribution } from '#retrieval/ranking/rank.types';

import type { Candidates } from '../../search-index.port.js';

/** The retrievers, in the order of the columns of {@link FoundSlice.scores}. */
export const RETRIEVERS = ['terms', 'definitions', 'vectors'] as const;

/**
 * Chunks that some retriever found in a slice of the scope, as columns. They are posted between
 * threads, where one object per chunk would cost more than the search.
 */
export interface FoundSlice {
  /** Statistics of the whole corpus, whichever slice was searched. */
  readonly statistics: Candidates['statistics'];
  /** The chunk's range, by its index in the searched ranges. */
  readonly views: Uint32Array;
  readonly chunks: Uint32Array;
  /** Cosine with the query vector; 0 if there is none to compare with. */
  readonly cosines: Float64Array;
  /** Weighted frequencies, one per query term for each chunk. */
  readonly frequencies: Uint8Array;
  /**
   * One value per retriever for each chunk: its sort value, or NaN if it did not find the chunk.
   * Empty in a ranked slice.
   */
  readonly scores: Float64Array;
  /** Absent if the query asked for no ranking; then the chunks are ordered by id. */
  readonly ranked?: RankedRows;
}

/** Numbers of each row in {@link RankedRows.scores}. */
export const ROW_SCORES = 4;

/**
 * The ranking of a slice. Its rows are the first chunks of the slice, in rank order. The chunks
 * after them are copies that rows stand for.
 */
export interface RankedRows {
  readonly count: number;
  /** Score, lexical, semantic and combined score of each row; see `RankedChunk`. */
  readonly scores: Float64Array;
  /** Chunks of the slice that a row stands for, by row; rows without any are left out. */
  readonly copies: ReadonlyMap<number, readonly number[]>;
  /** Contributions to each row; undefined if the query did not ask for an explanation. */
  readonly contributions: readonly (readonly ScoreContribution[])[] | undefined;
}
