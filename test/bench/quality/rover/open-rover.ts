import { RoverScript } from '#apps/pipeline/rover/rover-script';
import { RoverSearches } from '#apps/pipeline/rover/rover-searches';
import type { RoverResult } from '#contracts';
import { createLocalEmbedder, type LocalModelAddress } from '#models';
import { loadConfig, systemClock } from '#platform';
import { createSearches } from '#search';
import type { SearchIndex } from '#search-index';
import { MemoryEventStore } from '#test/support/memory-event-store';

import { TENANT } from '../index-set.js';
import type { IndexedRepository } from './indexed-repository.js';

/**
 * Answers questions as a rover job does without a model, by its own script and searches. The
 * repositories are indexed beforehand; nothing is stored.
 */
export function openRover(index: SearchIndex, address: LocalModelAddress) {
  const config = loadConfig({ DATA_DIR: '/' }, '/');
  const store = new MemoryEventStore();
  const clock = systemClock;
  const searches = new RoverSearches({
    searches: createSearches({
      index,
      embedder: createLocalEmbedder(address),
      // Content is never replaced here, so a search that fails has failed.
      missingContent: { refreshUnlessFresh: () => Promise.resolve() },
      clock,
      config,
    }),
    store,
    clock,
    config,
  });
  const budget = config.rover.budgets.fast;
  return async (
    question: string,
    repositories: readonly IndexedRepository[],
  ): Promise<RoverResult> => {
    const bySource = new Map(repositories.map((each) => [each.live.sourceId, each]));
    const signal = new AbortController().signal;
    const script = new RoverScript({
      planner: { hasModel: false, decide: () => Promise.resolve({ plan: null }) },
      tenantId: TENANT,
      question,
      lease: {
        job: {
          budget,
          repos: repositories.map(({ repo }) => repo),
          attached: repositories.map(({ repo, commit, live }) => ({
            repo,
            commit,
            source_id: live.sourceId,
            origin: 'temporary',
          })),
          steps: [],
        },
        write: () => Promise.resolve(),
      },
      steps: {
        run: async ({ kind, round, ordinal }, work) => {
          const stepId = `${round}-${kind}-${ordinal}`;
          return (await work({ stepId, attempt: 1 })).output;
        },
        remainingMs: budget.seconds * 1_000,
      },
      own: { find: () => Promise.resolve(null), serves: () => Promise.resolve(false) },
      sources: {
        register: ({ repo }) => Promise.resolve(repo),
        prepare: ({ repo }) => Promise.resolve(repo),
        release: () => Promise.resolve(),
        read: (_, sourceId) => {
          const { live, paths } = bySource.get(sourceId) as IndexedRepository;
          const { generation, chunks } = live;
          const files = paths.length;
          return Promise.resolve({ sourceId, generation, manifest: sourceId, files, chunks });
        },
      },
      searches,
      index,
      // The manifest of a sync names its documents; the script reads their paths alone.
      blobs: {
        get: (sourceId) => {
          const documents = bySource.get(sourceId)?.paths.map((path) => ({ path })) ?? [];
          return Promise.resolve(Buffer.from(JSON.stringify({ documents })));
        },
      },
      fetchers: {},
      host: {
        search: () => Promise.reject(new Error('Each question comes with its repositories')),
      },
      descriptions: null,
      clock,
      signal,
      fetchOptions: {
        directory: '/',
        limits: config.limits,
        network: config.network,
        timeoutMs: 1,
        slowTransfer: config.jobs.slowTransfer,
      },
      urlOf: (repo) => `https://github.com/${repo}`,
    });
    return (await script.run()).result;
  };
}
