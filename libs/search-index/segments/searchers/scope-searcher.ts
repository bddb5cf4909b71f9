import type { SharedMemory } from '#retrieval/wasm-functions';

import type { ScanLimits } from '../scan/scan-pace.js';
import type { ShareQuery } from '../scan/search-share.js';
import { wholeView } from '../scan/searched-view.js';
import { VectorLane } from '../scan/vector-lane.js';
import type { SegmentView } from '../store/loaded-generation.js';
import type { ShareAnswer } from './join-shares.js';
import { SearchTurns } from './search-turns.js';

/** Runs the legs over views that it was told of, wherever that happens. */
export interface ScopeSearcher {
  /** Makes views known; before the first search that names them. */
  add(views: readonly SegmentView[]): void;
  /**
   * Forgets views. Resolves when no search reads their segments any more: from then on they may be
   * closed.
   */
  remove(views: readonly SegmentView[]): Promise<void>;
  /**
   * Searches the scope, in one share or several; both may have views that are removed meanwhile.
   * @throws FootnoteError `engine_unavailable` when it cannot be searched now; SearchBudgetError,
   * or an error of its name, when the search takes too much processor time.
   */
  search(
    scope: readonly SegmentView[],
    corpus: readonly SegmentView[],
    query: ShareQuery,
  ): Promise<readonly [ShareAnswer, ...ShareAnswer[]]>;
  close(): Promise<void>;
}

/** Searches in the calling thread, slice by slice. @param limits of each search */
export function createInlineSearcher(memory: SharedMemory, limits?: ScanLimits): ScopeSearcher {
  const turns = new SearchTurns(new VectorLane(memory, 0), limits);
  return {
    add: () => undefined,
    remove: () => turns.settled(),
    search: async (scope, corpus, query) => {
      const whole = scope.map(wholeView);
      return [{ scope: whole, found: await turns.run(whole, corpus, query) }];
    },
    close: () => turns.settled(),
  };
}
