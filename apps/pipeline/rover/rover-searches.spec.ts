import { describe, expect, it } from '@jest/globals';

import { POLICY_DEFAULTS } from '#contracts';
import { createLocalEmbedder } from '#models';
import { loadConfig, systemClock } from '#platform';
import type { SearchAction } from '#research';
import { WORD_HASHING } from '#retrieval';
import { createSearches } from '#search';
import type { CandidateQuery, RankingQuery, SearchIndex } from '#search-index';
import { rankCandidates } from '#search-index/rank-candidates';
import { MemoryEventStore } from '#test/support/memory-event-store';
import { candidate } from '#test/support/rank-candidates';

import { JobEnded } from '../worker/active-runs.js';
import { RoverSearches } from './rover-searches.js';

const ATTACHED = {
  repo: 'ring/ring',
  commit: 'c'.repeat(40),
  sourceId: 'source',
  generation: 1,
  syncedAt: 0,
};
const POLICY = { settings: POLICY_DEFAULTS, revision: null };

/** An index that answers every call with one chunk, and lists its calls. */
function oneChunkIndex(onCall: (calls: readonly string[]) => void) {
  const calls: string[] = [];
  const called = (name: string): void => {
    calls.push(name);
    onCall(calls);
  };
  const chunk = {
    ...candidate({ termFrequencies: Array(20).fill(1) }),
    generation: 1,
    fragment: undefined,
    symbol: undefined,
    endpointKey: undefined,
    schemaHash: undefined,
    tokenCount: 9,
    language: '',
    defs: [],
    definitions: [],
  };
  const statistics = { chunks: 9, averageLength: 9, documentFrequencies: Array(20).fill(1) };
  const index = {
    ranked: async (_: CandidateQuery, ranking: RankingQuery) => {
      called('ranked');
      return rankCandidates({ candidates: [chunk], statistics, searched: 9 }, ranking);
    },
    fileChunks: async () => {
      called('fileChunks');
      return [chunk];
    },
    contents: async () => {
      called('contents');
      return ['the reader passes a buffer size to the ring'];
    },
    document: async () => {
      called('document');
      return [];
    },
  };
  return { calls, index: index as unknown as SearchIndex };
}

function searchesOf(index: SearchIndex): RoverSearches {
  const config = loadConfig({ DATA_DIR: '/' }, '/');
  const searches = createSearches({
    index,
    embedder: createLocalEmbedder({ id: WORD_HASHING.id }),
    missingContent: { refreshUnlessFresh: () => Promise.resolve() },
    clock: systemClock,
    config,
  });
  return new RoverSearches({ searches, store: new MemoryEventStore(), clock: systemClock, config });
}

describe('RoverSearches', () => {
  const run = (index: SearchIndex, signal: AbortSignal, isMultiHop = false) => {
    const query = 'which buffer size does the reader pass to the ring when it starts to work again';
    const action = { query, repositories: ['ring/ring'], paths: [], isMultiHop };
    return searchesOf(index).run(
      'tenant',
      action as unknown as SearchAction,
      [ATTACHED],
      POLICY,
      signal,
    );
  };

  it.each([
    ['one search', false],
    ['a search in rounds', true],
  ])('calls the index no more once the job is cancelled, at any call of %s', async (_, rounds) => {
    const whole = oneChunkIndex(() => undefined);
    expect(await run(whole.index, new AbortController().signal, rounds)).toHaveLength(1);
    expect(whole.calls.length).toBeGreaterThanOrEqual(3);
    for (const at of whole.calls.keys()) {
      const controller = new AbortController();
      const { calls, index } = oneChunkIndex(({ length }) => {
        if (length === at + 1) controller.abort(new JobEnded());
      });
      const ended = await run(index, controller.signal, rounds).then(
        () => 'completed',
        (error: unknown) => error,
      );
      expect(calls).toEqual(whole.calls.slice(0, at + 1));
      if (at + 1 < whole.calls.length) expect(ended).toBeInstanceOf(JobEnded);
    }
  });
});
