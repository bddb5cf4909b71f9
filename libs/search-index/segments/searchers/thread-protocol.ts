import type { SharedMemory } from '#retrieval/wasm-functions';

import type { DroppedBitmap } from '../../pack/dropped-bitmap.js';
import type { SliceQuery } from '../scan/search-slice.js';
import type { SharedSegment } from '../scan/searched-view.js';

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
      readonly scope: readonly (readonly [view: number, from: number, to: number])[];
      readonly corpus: readonly number[];
      readonly query: SliceQuery;
    };

/** A message without an answer. */
export interface SearchThreadAddition {
  readonly kind: 'add';
  readonly segments: readonly { readonly id: number; readonly shared: SharedSegment }[];
  readonly views: readonly PostedView[];
}

/** Messages to a search thread, which processes them in order; searches take turns. */
export type SearchThreadRequest = SearchThreadAddition | SearchThreadQuestion;
