import type { SharedMemory } from '#retrieval/wasm-functions';

import type { ScanLimits } from '../scan/scan-pace.js';
import type { SliceQuery } from '../scan/search-slice.js';
import type { SearchedSegment } from '../scan/searched-view.js';
import { vectorTools } from '../scan/vector-tools.js';
import type { SegmentView } from '../store/loaded-generation.js';
import type { SliceAnswer } from './join-slices.js';
import type { PostedRanking } from './posted-ranking.js';
import { SearchTurns } from './search-turns.js';

/** Runs the retrievers over registered views, in this thread or in others. */
export interface ScopeSearcher {
  /** Registers views; before the first search that names them. */
  add(views: readonly SegmentView[]): void;
  /**
   * Removes views. Resolves when no search reads their segments any more; then they may be closed.
   */
  remove(views: readonly SegmentView[]): Promise<void>;
  /**
   * Searches the scope, in one slice or several; views may be removed during the search.
   * @param ranking of the result. It is ranked only if it is one slice.
   * @throws FootnoteError `engine_unavailable` if it cannot be searched now; SearchBudgetError, or
   * an error of its name, if the search takes too much processor time.
   */
  search(
    scope: readonly SegmentView[],
    corpus: readonly SegmentView[],
    query: SliceQuery,
    ranking?: PostedRanking,
  ): Promise<readonly [SliceAnswer, ...SliceAnswer[]]>;
  close(): Promise<void>;
}

/**
 * Creates a searcher in the calling thread, time slice by time slice.
 * @param limits of each search.
 */
export function createInlineSearcher(memory: SharedMemory, limits?: ScanLimits): ScopeSearcher {
  const turns = new SearchTurns(vectorTools(memory, 0), limits);
  return {
    add: (views) => turns.add(segmentsOf(views)),
    remove: (views) => turns.remove(segmentsOf(views)),
    search: async (scope, corpus, query, ranking) => [
      { scope, found: await turns.run(scope, corpus, query, ranking) },
    ],
    close: () => turns.settled(),
  };
}

function segmentsOf(views: readonly SegmentView[]): readonly SearchedSegment[] {
  return views.map(({ segment }) => segment);
}
