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

/** Sizes of repositories and commits of their default branches, asked once in a run of a job. */
export class RepositoryHeads {
  private readonly heads = new Map<string, string>();
  /** By repository; also requests that failed. */
  private readonly sizes = new Map<string, Promise<number | null>>();

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
        const sizeKib = await this.sizeOf(chosen).catch(() => null);
        return { ...chosen, sizeKib };
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
  async headOf(chosen: ChosenRepository): Promise<string> {
    const { limits } = this.dependencies.fetchOptions;
    const known = this.heads.get(chosen.repo);
    if (known !== undefined) return known;
    const size = await this.sizeOf(chosen);
    if (size !== null && size * KIB > limits.maxSourceBytes * HISTORY_FACTOR)
      throw new StepFailed('repository_too_large');
    const head = await this.commitOf(chosen.repo);
    this.heads.set(chosen.repo, head);
    return head;
  }

  /**
   * Returns the size that the host reports; null if it reports none at once, because git alone can
   * read a repository.
   * @throws StepFailed if the host says that the repository is blocked.
   */
  private sizeOf({ repo, sizeKib }: ChosenRepository): Promise<number | null> {
    const known = this.sizes.get(repo);
    if (known) return known;
    const size = sizeKib === null ? this.describedSize(repo) : Promise.resolve(sizeKib);
    this.sizes.set(repo, size);
    return size;
  }

  private async describedSize(repo: string): Promise<number | null> {
    const { descriptions, tenantId, signal } = this.dependencies;
    if (!descriptions) return null;
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(DESCRIBE_MS)]);
    try {
      return (await descriptions.describe(repo, { tenantId, waitMs: 0, signal: timeout })).sizeKib;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof HostFailure && error.reason === 'repository_unavailable')
        throw new StepFailed(error.reason);
      if (error instanceof HostFailure || timeout.aborted) return null;
      throw error;
    }
  }

  private async commitOf(repo: string): Promise<string> {
    const { fetchers, tenantId, fetchOptions, signal, urlOf } = this.dependencies;
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
