import type { SharedMemory } from '#retrieval/wasm-functions';

import type { SegmentView } from '../store/loaded-generation.js';
import type { ShareAnswer } from './join-shares.js';
import { searchShare, type ShareQuery, type ShareTools } from '../scan/search-share.js';
import { createScratch } from '../scan/legs.js';
import { wholeView } from '../scan/searched-view.js';
import { VectorLane } from '../scan/vector-lane.js';

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

/** Searches in the calling thread, which does nothing else meanwhile. */
export function createInlineSearcher(memory: SharedMemory): ScopeSearcher {
  const tools: ShareTools = { lane: new VectorLane(memory, 0), scratch: createScratch() };
  return {
    add: () => undefined,
    remove: () => Promise.resolve(),
    search: async (scope, corpus, query) => {
      const whole = scope.map(wholeView);
      return [{ scope: whole, found: searchShare(whole, corpus, query, tools) }];
    },
    close: () => Promise.resolve(),
  };
}
