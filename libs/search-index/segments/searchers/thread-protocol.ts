import type { SharedMemory } from '#retrieval/wasm-functions';

import type { DroppedBitmap } from '../../pack/dropped-bitmap.js';
import type { SliceQuery } from '../scan/search-slice.js';
import type { SharedSegment } from '../scan/searched-view.js';
import type { PostedRanking } from './posted-ranking.js';

/** The start data of a search thread. */
export interface SearchThreadData {
  readonly memory: SharedMemory;
  readonly vectorScratch: number;
}

/** A view in posted form; its segment was posted before. */
export interface PostedView {
  readonly id: number;
  readonly segment: number;
  readonly embedderId: string;
  readonly dropped: DroppedBitmap | undefined;
  readonly liveChunks: number;
  readonly liveLength: number;
}

/**
 * Requests with an answer: a search returns a `FoundSlice`, a removal answers when no search reads
 * the views any more.
 */
export type SearchThreadQuestion =
  | { readonly kind: 'ping' }
  | {
      readonly kind: 'remove';
      readonly segments: readonly number[];
      readonly views: readonly number[];
    }
  | {
      readonly kind: 'search';
      /** Views to search: as a whole, or from the first to the second chunk of each pair. */
      readonly scope: Uint32Array;
      readonly parts: Uint32Array | undefined;
      readonly corpus: Uint32Array;
      readonly query: SliceQuery;
      /** Only without `parts`. */
      readonly ranking?: PostedRanking | undefined;
    };

export type SearchQuestion = Extract<SearchThreadQuestion, { readonly kind: 'search' }>;

/** A message without an answer. */
export interface SearchThreadAddition {
  readonly kind: 'add';
  readonly segments: readonly { readonly id: number; readonly shared: SharedSegment }[];
  readonly views: readonly PostedView[];
}

/** Messages to a search thread, which processes them in order; searches take turns. */
export type SearchThreadRequest = SearchThreadAddition | SearchThreadQuestion;
