import { createScratch } from '../scan/legs.js';
import { searchShare, type ShareTools } from '../scan/search-share.js';
import type { SharedMemory } from '../scan/vector-math.js';
import { wholeView } from '../scan/searched-view.js';
import { VectorLane } from '../scan/vector-lane.js';
import type { ScopeSearcher } from './scope-searcher.js';

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
