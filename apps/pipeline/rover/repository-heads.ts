import type { SourceDefinition } from '#contracts';
import type { OpenRoverJob } from '#domain';
import type { Fetchers, FetchRequest } from '#ingest';
import { HostFailure } from '#ingest/github/host-failure';
import type { RepositoryHost } from '#ingest/github/repository-host.port';

import type { ChosenRepository } from './choose-repositories.js';
import { reasonOf } from './research-sources.js';
import { StepFailed } from './step-failure.js';

/** Version that a git fetcher reports for an empty repository. */
const NO_COMMIT = /^0+$/;
/** The size on the host counts all history; a sync fetches one commit of it. */
const HISTORY_FACTOR = 4;
const KIB = 1_024;
/** Time for the description of a repository that is read without one, milliseconds. */
const DESCRIBE_MS = 3_000;

export interface RepositoryHeadsDependencies {
  readonly tenantId: string;
  readonly lease: { readonly job: Pick<OpenRoverJob, 'steps'> };
  readonly fetchers: Fetchers;
  /** Describes repositories; null if it is not the host that they are cloned from. */
  readonly descriptions: Pick<RepositoryHost, 'describe'> | null;
  readonly signal: AbortSignal;
  /** Parts of a request to a fetcher that belong to the process. */
  readonly fetchOptions: Pick<
    FetchRequest,
    'directory' | 'limits' | 'network' | 'timeoutMs' | 'slowTransfer'
  >;
  /** URL of a repository of the git host. */
  readonly urlOf: (repo: string) => string;
}

/** A repository at the commit of its default branch. */
export interface RepositoryHead {
  /** The present name; another one than asked for if the repository was renamed. */
  readonly repo: string;
  readonly commit: string;
}

/** Names, sizes and default commits of repositories; each is requested once in a run of a job. */
export class RepositoryHeads {
  /** By present name. */
  private readonly commits = new Map<string, string>();
  /** By chosen name; also requests that failed. */
  private readonly descriptions = new Map<string, Promise<ChosenRepository>>();

  constructor(private readonly dependencies: RepositoryHeadsDependencies) {}

  /**
   * Returns repositories in the order in which to read them: the smallest first, then those of
   * unknown size in the given order. A job at the end of its budget has read at least the first.
   */
  async inReadingOrder(all: readonly ChosenRepository[]): Promise<ChosenRepository[]> {
    const { lease, signal } = this.dependencies;
    const left = all.filter(({ repo }) => !hasEnded(lease.job.steps, repo));
    if (left.length < 2) return [...all];
    const sized = await Promise.all(
      all.map(async (chosen) => {
        // A repository that is blocked fails its own step.
        const described = await this.describe(chosen).catch(() => null);
        return { ...chosen, sizeKib: described?.sizeKib ?? null };
      }),
    );
    signal.throwIfAborted();
    return sized.sort((a, b) => orderOf(a) - orderOf(b));
  }

  /** Returns whether the host serves a repository. */
  async exists(repo: string): Promise<boolean> {
    try {
      await this.commitOf(repo);
      return true;
    } catch (error) {
      if (error instanceof StepFailed) return error.reason === 'repository_empty';
      throw error;
    }
  }

  /** Returns the commit of the default branch. @throws StepFailed, also if it is too large. */
  async headOf(chosen: ChosenRepository): Promise<RepositoryHead> {
    const { limits } = this.dependencies.fetchOptions;
    const { repo, sizeKib } = await this.describe(chosen);
    if (sizeKib !== null && sizeKib * KIB > limits.maxSourceBytes * HISTORY_FACTOR)
      throw new StepFailed('repository_too_large');
    return { repo, commit: await this.commitOf(repo) };
  }

  /**
   * Returns the present name and the size of a repository. If the host reports none at once, it is
   * the given name and no size, because git alone can read a repository.
   * @throws StepFailed if the host says that the repository is blocked.
   */
  describe(chosen: ChosenRepository): Promise<ChosenRepository> {
    const known = this.descriptions.get(chosen.repo);
    if (known) return known;
    const described = chosen.sizeKib === null ? this.request(chosen) : Promise.resolve(chosen);
    this.descriptions.set(chosen.repo, described);
    return described;
  }

  private async request(chosen: ChosenRepository): Promise<ChosenRepository> {
    const { descriptions, tenantId, signal } = this.dependencies;
    if (!descriptions) return chosen;
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(DESCRIBE_MS)]);
    try {
      const caller = { tenantId, waitMs: 0, signal: timeout };
      const { repo, sizeKib } = await descriptions.describe(chosen.repo, caller);
      // A name in other letters is no new name.
      const isRenamed = repo.toLowerCase() !== chosen.repo.toLowerCase();
      return { repo: isRenamed ? repo : chosen.repo, sizeKib };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof HostFailure && error.reason === 'repository_unavailable')
        throw new StepFailed(error.reason);
      if (error instanceof HostFailure || timeout.aborted) return chosen;
      throw error;
    }
  }

  private async commitOf(repo: string): Promise<string> {
    const { fetchers, tenantId, fetchOptions, signal, urlOf } = this.dependencies;
    const known = this.commits.get(repo);
    if (known !== undefined) return known;
    const definition: SourceDefinition = {
      source_type: 'repo',
      url: urlOf(repo),
      include_patterns: [],
      exclude_patterns: [],
    };
    const request = { ...fetchOptions, tenantId, definition, recipe: '', signal };
    const version = await fetchers.repo?.resolve(request).catch((error: unknown) => {
      signal.throwIfAborted();
      throw new StepFailed(reasonOf(error));
    });
    if (!version?.ref) throw new StepFailed('repository_unavailable');
    if (NO_COMMIT.test(version.ref)) throw new StepFailed('repository_empty');
    this.commits.set(repo, version.ref);
    return version.ref;
  }
}

function hasEnded(steps: OpenRoverJob['steps'], wanted: string): boolean {
  return steps.some(
    ({ kind, repo, status }) => kind === 'read' && repo === wanted && status !== 'running',
  );
}

/** Returns the place of a repository among others: its size, the largest number if unknown. */
function orderOf({ sizeKib }: ChosenRepository): number {
  return sizeKib ?? Number.MAX_SAFE_INTEGER;
}
