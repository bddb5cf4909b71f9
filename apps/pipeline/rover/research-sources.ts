import { type Actor, type SourceDefinition, StageFailure } from '#contracts';
import {
  isTerminal,
  jobDecider,
  type JobState,
  type OpenJob,
  sourceDecider,
  type SourceState,
} from '#domain';
import { type EventStore, foldStream, handleCommand } from '#event-store';
import { type Clock, sleep, uuidv5 } from '#platform';

import { type Cause, commandJob, systemContext } from '../log/commands.js';
import { openSyncJob } from '../log/open-sync-job.js';
import { JobEnded } from '../worker/active-runs.js';
import { StepFailed } from './step-failure.js';

const ACTOR: Actor = Object.freeze({ type: 'system', id: 'rover' });
/** Interval between reads of a running sync. */
const POLL_MS = 150;
/** Removed sources of one repository at one commit. */
const MOST_EPISODES = 1_000;
/** Requests of one caller for a sync that other processes cancel. */
const MOST_REQUESTS = 5;

/** A repository at a commit. */
export interface Revision {
  readonly tenantId: string;
  /** `owner/repo`. */
  readonly repo: string;
  readonly commit: string;
}

/** A source that has been synced. */
export interface ReadSource {
  readonly sourceId: string;
  readonly generation: number;
  readonly manifest: string;
  readonly files: number;
  readonly chunks: number;
}

/** Gets the counters of a running sync. */
export type SyncProgress = (
  counters: Readonly<Pick<OpenJob['counters'], 'files_processed' | 'chunks_created'>>,
) => Promise<void>;

export interface ResearchSourcesDependencies {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly maxRetries: number;
  /** Address of the git host, such as `https://github.com`. */
  readonly gitUrl: string;
}

/**
 * Temporary sources: a repository at a commit, for the audience `research`. There is one for each
 * tenant, repository and commit; all ids are derived, so that two jobs that need it register and
 * sync it once.
 */
export class ResearchSources {
  /** Rover jobs of this process that need a sync, by its id: a cancel ends one nobody needs. */
  private readonly needed = new Map<string, number>();

  constructor(private readonly dependencies: ResearchSourcesDependencies) {}

  /** Registers the source unless it exists. @returns its id. */
  async register(revision: Revision): Promise<string> {
    for (let episode = 1; episode <= MOST_EPISODES; episode += 1) {
      const sourceId = researchSourceId(revision, episode);
      const { state } = await this.command(revision.tenantId, sourceId, 'register', (current) =>
        sourceDecider.decide(
          {
            type: 'RegisterSource',
            data: {
              source_id: sourceId,
              name: revision.repo,
              definition: this.definitionOf(revision),
              audience: researchAudience(revision),
            },
          },
          current,
        ),
      );
      if (state.status === 'registered') return sourceId;
    }
    throw new Error(`${revision.repo} was removed ${MOST_EPISODES} times at one commit`);
  }

  /**
   * Syncs the source unless it was synced, and waits for the end. If the signal aborts because the
   * rover job ended, the sync is cancelled unless another one needs it.
   * @param onProgress gets the counters of the running sync at each look.
   * @throws StepFailed if the repository cannot be read; the reason of the signal.
   */
  async read(
    tenantId: string,
    sourceId: string,
    signal: AbortSignal,
    onProgress?: SyncProgress,
  ): Promise<ReadSource> {
    let requests = 0;
    for (;;) {
      const state = await this.registered(sourceId);
      if (!state) throw new StepFailed('read_failed');
      const job = await this.ended(tenantId, state.last_job_id, signal, onProgress);
      if (job?.status === 'completed') return readSource(sourceId, job);
      // An earlier sync may have failed for reasons that have passed, and another process may
      // cancel one of its own.
      const most = job?.status === 'cancelled' ? MOST_REQUESTS : 1;
      if (job && requests >= most) throw new StepFailed(failureOf(job));
      await this.request(tenantId, sourceId, state.last_job_id);
      requests += 1;
    }
  }

  /**
   * Requests a sync without waiting for it, unless there was one. The caller needs it until it
   * releases it. @returns the id of the sync; null if the source was removed at this moment.
   */
  async prepare(revision: Revision): Promise<string | null> {
    const sourceId = await this.register(revision);
    const state = await this.registered(sourceId);
    if (state?.last_job_id === null) await this.request(revision.tenantId, sourceId, null);
    const jobId = (await this.registered(sourceId))?.last_job_id ?? null;
    if (jobId !== null) this.need(jobId);
    return jobId;
  }

  /**
   * Ends the need for a sync.
   * @param jobEnded true if the rover job ended, so that a sync which nobody needs is cancelled.
   */
  async release(tenantId: string, jobId: string, jobEnded: boolean): Promise<void> {
    const left = (this.needed.get(jobId) ?? 1) - 1;
    if (left > 0) this.needed.set(jobId, left);
    else this.needed.delete(jobId);
    if (jobEnded && left === 0) await this.cancel(tenantId, jobId);
  }

  private need(jobId: string): void {
    this.needed.set(jobId, (this.needed.get(jobId) ?? 0) + 1);
  }

  private async registered(sourceId: string) {
    const { store } = this.dependencies;
    const { state } = await foldStream(store, sourceDecider, `source-${sourceId}`);
    return state.status === 'registered' ? state : null;
  }

  private async request(tenantId: string, sourceId: string, after: string | null): Promise<void> {
    const jobId = uuidv5('research-sync', sourceId, after ?? '');
    const { state } = await this.command(tenantId, sourceId, `sync ${after ?? ''}`, (current) =>
      current.status === 'registered' && current.last_job_id === after
        ? sourceDecider.decide(
            { type: 'RequestSync', data: { job_id: jobId, last_job_open: false } },
            current,
          )
        : [],
    );
    if (state.status === 'registered' && state.last_job_id === jobId)
      await openSyncJob(
        this.dependencies,
        state,
        causeOf(tenantId, jobId),
        this.dependencies.maxRetries,
      );
  }

  /** Waits for the end of a sync. @returns null if there is none. */
  private async ended(
    tenantId: string,
    jobId: string | null,
    signal: AbortSignal,
    onProgress?: SyncProgress,
  ): Promise<EndedJob | null> {
    if (jobId === null) return null;
    this.need(jobId);
    try {
      for (;;) {
        const { state } = await foldStream(this.dependencies.store, jobDecider, `job-${jobId}`);
        if (isTerminal(state)) return state;
        if (state.status !== 'absent') await onProgress?.(state.counters);
        if (!(await sleep(POLL_MS, signal))) signal.throwIfAborted();
      }
    } finally {
      await this.release(tenantId, jobId, signal.reason instanceof JobEnded);
    }
  }

  /** Cancels a sync unless it ended. */
  private async cancel(tenantId: string, jobId: string): Promise<void> {
    const { state } = await foldStream(this.dependencies.store, jobDecider, `job-${jobId}`);
    if (state.status === 'absent' || isTerminal(state)) return;
    const commandId = uuidv5('cancel-research', jobId);
    await commandJob(
      this.dependencies,
      jobId,
      commandId,
      { type: 'CancelJob', data: {} },
      causeOf(tenantId, commandId),
    );
  }

  private definitionOf({ repo, commit }: Revision): SourceDefinition {
    return {
      source_type: 'repo',
      url: `${this.dependencies.gitUrl.replace(/\/$/, '')}/${repo}`,
      branch: commit,
      include_patterns: [],
      exclude_patterns: [],
    };
  }

  private command(
    tenantId: string,
    sourceId: string,
    name: string,
    decide: (state: SourceState) => ReturnType<typeof sourceDecider.decide>,
  ) {
    const { store, clock } = this.dependencies;
    const commandId = uuidv5('research-source', sourceId, name);
    return handleCommand({
      store,
      clock,
      decider: sourceDecider,
      stream: `source-${sourceId}`,
      expected: 'any',
      decide,
      context: systemContext(commandId, causeOf(tenantId, commandId), clock),
    });
  }
}

type EndedJob = Extract<JobState, { status: 'completed' | 'failed' | 'cancelled' }>;

/** Returns the audience of a repository at a commit. */
export function researchAudience({ repo, commit }: Pick<Revision, 'repo' | 'commit'>) {
  return { kind: 'research', repository: repo.toLowerCase(), commit } as const;
}

/** Returns the id of the source. Removed sources are never reused: the next episode has another. */
function researchSourceId({ tenantId, repo, commit }: Revision, episode: number): string {
  return uuidv5('research-source', tenantId, repo.toLowerCase(), commit, String(episode));
}

function readSource(sourceId: string, job: Extract<EndedJob, { status: 'completed' }>): ReadSource {
  const { published, staged } = job;
  return {
    sourceId,
    generation: published.generation,
    manifest: published.manifest,
    files: staged?.file_count ?? 0,
    chunks: staged?.chunk_count ?? 0,
  };
}

function failureOf(job: EndedJob): StepFailed['reason'] {
  if (job.status !== 'failed') return 'read_failed';
  return job.error_details?.too_large ? 'repository_too_large' : 'read_failed';
}

function causeOf(tenantId: string, id: string): Cause {
  return { tenantId, correlationId: id, causationId: id, actor: ACTOR };
}

/** Returns the reason of a step for a remote that could not be asked. */
export function reasonOf(error: unknown): StepFailed['reason'] {
  if (!(error instanceof StageFailure)) return 'repository_unavailable';
  return error.retryable ? 'repository_unavailable' : 'repository_not_found';
}
