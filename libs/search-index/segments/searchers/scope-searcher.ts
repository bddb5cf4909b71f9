import type { SegmentView } from '../store/loaded-generation.js';
import type { ShareAnswer } from './join-shares.js';
import type { ShareQuery } from '../scan/search-share.js';

/** Runs the legs over views that it was told of, wherever that happens. */
export interface ScopeSearcher {
  /** Makes views known; before the first search that names them. */
  add(views: readonly SegmentView[]): void;
  /** Forgets views. Resolves when no search reads their segments any more: from then on they may be closed. */
  remove(views: readonly SegmentView[]): Promise<void>;
  /**
   * Searches the scope, in one share or several; both may have views that are removed meanwhile.
   * @throws FootnoteError `engine_unavailable` when it cannot be searched now.
   */
  search(
    scope: readonly SegmentView[],
    corpus: readonly SegmentView[],
    query: ShareQuery,
  ): Promise<readonly [ShareAnswer, ...ShareAnswer[]]>;
  close(): Promise<void>;
}
