import { createScratch } from '../scratch.js';
import { searchPart, type PartTools } from '../search-part.js';
import type { SharedMemory } from '../vector-math.js';
import { wholeView } from '../searched-view.js';
import { VectorLane } from '../vector-lane.js';
import type { PartSearcher } from './part-searcher.js';

/** Searches in the calling thread, which does nothing else meanwhile. */
export function createInlineSearcher(memory: SharedMemory): PartSearcher {
  const tools: PartTools = { lane: new VectorLane(memory, 0), scratch: createScratch() };
  return {
    add: () => undefined,
    remove: () => Promise.resolve(),
    search: async (scope, corpus, query) => {
      const whole = scope.map(wholeView);
      return [{ scope: whole, found: searchPart(whole, corpus, query, tools) }];
    },
    close: () => Promise.resolve(),
  };
}
