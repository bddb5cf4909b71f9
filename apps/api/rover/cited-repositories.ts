import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { FootnoteError, isStageFailure } from '#contracts';
import type { FetchRequest } from '#ingest';
import { createFetchers } from '#ingest/fetchers';
import { readRepositoryFiles, type RepositoryFiles } from '#ingest/git/read-repository-files';
import {
  BLOB_STORE,
  type BlobStore,
  type Config,
  FairSemaphore,
  LOGGER,
  type Logger,
} from '#platform';
import { ProcessHelper } from '#platform/process/helper/process-helper';

import { CONFIG } from '../engines/engines.js';

/** Longest verification of one job, with its wait for a turn, milliseconds. */
const DEADLINE_MS = 120_000;
/** Longest exchange with the host, milliseconds. */
const EXCHANGE_MS = 60_000;
/** Seconds after which the host may answer again. */
const RETRY_AFTER = 60;

/** Reads files of one repository. @throws FootnoteError `repository_host_unavailable`. */
export type ReadFiles = (
  repo: string,
  /** Default: the default branch. */
  commit: string | undefined,
  paths: ReadonlySet<string>,
) => Promise<RepositoryFiles | null>;

/** Fetches repositories again to verify citations; nothing of them stays. */
@Injectable()
export class CitedRepositories implements OnApplicationShutdown {
  private readonly turns = new FairSemaphore({ places: 2, mostOfTenant: 1 });
  private readonly stopping = new AbortController();
  private readonly processes: ProcessHelper;
  private readonly fetchers: ReturnType<typeof createFetchers>;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(BLOB_STORE) blobs: BlobStore,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.processes = new ProcessHelper(logger);
    this.fetchers = createFetchers(config, blobs, this.processes.start);
  }

  /** Ends every fetch. */
  onApplicationShutdown(): void {
    this.stopping.abort(new FootnoteError('shutting_down', 'The process is shutting down'));
    this.processes.close();
  }

  /**
   * Runs work that reads repositories, within a deadline and in turns of the tenants.
   * @throws FootnoteError `repository_host_unavailable` also after the deadline.
   */
  async reading<T>(tenantId: string, work: (read: ReadFiles) => Promise<T>): Promise<T> {
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    const signal = AbortSignal.any([deadline, this.stopping.signal]);
    try {
      return await this.turns.run(tenantId, () => this.within(tenantId, signal, work), signal);
    } catch (error) {
      this.stopping.signal.throwIfAborted();
      if (deadline.aborted)
        throw unavailable(`The host did not answer within ${DEADLINE_MS / 1_000} s`);
      throw error;
    }
  }

  private async within<T>(
    tenantId: string,
    signal: AbortSignal,
    work: (read: ReadFiles) => Promise<T>,
  ): Promise<T> {
    const folder = await mkdtemp(join(tmpdir(), 'footnote-verify-'));
    try {
      return await work((repo, commit, paths) =>
        this.read({ tenantId, repo, commit, paths, signal, directory: join(folder, 'repository') }),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Returns null if the host does not have the repository or the commit. */
  private async read({
    tenantId,
    repo,
    commit,
    paths,
    signal,
    directory,
  }: {
    readonly tenantId: string;
    readonly repo: string;
    readonly commit: string | undefined;
    readonly paths: ReadonlySet<string>;
    readonly signal: AbortSignal;
    readonly directory: string;
  }): Promise<RepositoryFiles | null> {
    const { limits, network, jobs, github } = this.config;
    const fetcher = this.fetchers.repo;
    if (!fetcher) throw new Error('Repositories have no fetcher');
    const request: FetchRequest = {
      tenantId,
      definition: {
        source_type: 'repo',
        url: `${github.gitUrl.replace(/\/$/, '')}/${repo}`,
        ...(commit === undefined ? {} : { branch: commit }),
        include_patterns: [],
        exclude_patterns: [],
      },
      recipe: '',
      directory,
      limits,
      network,
      slowTransfer: jobs.slowTransfer,
      timeoutMs: EXCHANGE_MS,
      signal,
    };
    try {
      return await readRepositoryFiles(fetcher, request, paths);
    } catch (error) {
      signal.throwIfAborted();
      if (!isStageFailure(error)) throw error;
      if (error.retryable || error.details?.too_large) throw unavailable(error.message);
      return null;
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
}

function unavailable(reason: string): FootnoteError {
  return new FootnoteError('repository_host_unavailable', reason, { retryAfter: RETRY_AFTER });
}
