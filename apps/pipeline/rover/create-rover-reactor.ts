import { join } from 'node:path';

import type { Fetchers } from '#ingest';
import type { RepositoryHost } from '#ingest/github/repository-host.port';
import type { Config } from '#platform';
import { createSearches } from '#search';

import type { PipelineDependencies } from '../pipeline.types.js';
import type { ActiveRuns } from '../worker/active-runs.js';
import type { OwnRepositories } from './own-repositories.js';
import { OwnSources } from './own-sources.js';
import { ResearchSources } from './research-sources.js';
import { RoverReactor } from './rover-reactor.js';
import { RoverSearches } from './rover-searches.js';
import { runRoverJob } from './run-rover-job.js';

/** Longest exchange with a git host to learn the head of a repository, milliseconds. */
const HEAD_MS = 20_000;

/** Assembles the work on rover jobs. */
export function createRoverReactor(
  dependencies: PipelineDependencies,
  options: {
    readonly runs: ActiveRuns;
    readonly fetchers: Fetchers;
    readonly host: RepositoryHost;
    readonly scratch: string;
    readonly soleProcess: boolean;
    readonly ownRepositories: OwnRepositories;
  },
): RoverReactor {
  const { eventStore: store, clock, logger, config, keyRing, blobs, searchIndex } = dependencies;
  const { runs, fetchers, host, scratch, soleProcess, ownRepositories: repositories } = options;
  const leaseMs = config.jobs.leaseSeconds * 1_000;
  const gitUrl = config.github.gitUrl.replace(/\/$/, '');
  const urlOf = (repo: string) => `${gitUrl}/${repo}`;
  const indexed = dependencies.indexedGenerations;
  const sources = new ResearchSources({ store, clock, maxRetries: 1, gitUrl });
  const searches = new RoverSearches({
    searches: createSearches({
      index: searchIndex,
      embedder: dependencies.embedder,
      // What a job attached was read a moment ago; a search that fails is repeated with its step.
      missingContent: { refreshUnlessFresh: () => Promise.resolve() },
      clock,
      config,
    }),
    store,
    clock,
    config,
  });
  const { limits, network } = config;
  const { chatModel = null } = dependencies;
  const { slowTransfer } = config.jobs;
  const directory = join(scratch, 'rover-heads');
  const run = {
    store,
    clock,
    logger,
    keyRing,
    blobs,
    leaseMs,
    sources,
    own: new OwnSources({ repositories, store, indexed, urlOf }),
    searches,
    fetchers,
    host,
    descriptions: describesGitHost(config.github) ? host : null,
    index: searchIndex,
    chatModel,
    fetchOptions: { directory, limits, network, timeoutMs: HEAD_MS, slowTransfer },
    urlOf,
  };
  return new RoverReactor({
    store,
    clock,
    logger,
    runs,
    leaseMs,
    soleProcess,
    places: config.rover.jobs,
    work: (entry, controller) => runRoverJob(run, entry, controller),
  });
}

const GITHUB = { gitUrl: 'https://github.com', apiUrl: 'https://api.github.com' };

/** Returns false if only the git host is configured: its names are unknown to GitHub's own API. */
function describesGitHost({ gitUrl, apiUrl }: Config['github']): boolean {
  const isOwnApi = new URL(apiUrl).origin !== GITHUB.apiUrl;
  const isOwnGit = new URL(gitUrl).origin !== GITHUB.gitUrl;
  return isOwnApi === isOwnGit;
}
