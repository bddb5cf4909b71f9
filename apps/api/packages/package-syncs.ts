import { Inject, Injectable } from '@nestjs/common';

import { FootnoteError } from '#contracts';
import { jobDecider, openJob, sourceDecider, type SourceState } from '#domain';
import { EVENT_STORE, type EventStore, type FoldedStream, foldStream } from '#event-store';
import { redactUrls } from '#ingest/redact/redact-urls';
import { CLOCK, type Clock, type Config, uuidv5 } from '#platform';

import { CONFIG } from '../engines/engines.js';
import { type LastJob, LastJobs } from '../sources/last-job.js';
import { Projected } from '../write/projected.js';
import type { HeldContent } from './known-packages.js';
import { OwnerCommands } from './owner-commands.js';

/**
 * Time before a package that failed to index is fetched again, milliseconds. Until then callers
 * get the reason of the failure.
 */
const FAILURE_HOLDS_MS = 60_000;
const MAX_LOOKS = 20;

export interface EnsureSync {
  readonly requestId: string;
  /** The content that the last job left is lost: a good end of it is not enough. */
  readonly again: boolean;
}

/** A job to open after `lastJobId`, which is the last one of the source as read. */
interface SyncRequest {
  readonly content: HeldContent;
  readonly read: FoldedStream<SourceState>;
  readonly lastJobId: string | null;
  readonly last: LastJob;
  readonly requestId: string;
}

/**
 * Makes sure that a package has been indexed, is, or will be. The id of a new job is derived from
 * the source and the job before. So all simultaneous requests, in whatever process, open one job:
 * one download.
 */
@Injectable()
export class PackageSyncs {
  constructor(
    private readonly commands: OwnerCommands,
    private readonly lastJobs: LastJobs,
    private readonly projected: Projected,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * @returns the job to wait for; it may have ended.
   * @throws FootnoteError `concurrent_change` where other processes change it repeatedly.
   */
  async ensure(content: HeldContent, { requestId, again }: EnsureSync): Promise<string> {
    for (let look = 0; look < MAX_LOOKS; look += 1) {
      const read = await foldStream(this.store, sourceDecider, `source-${content.sourceId}`);
      const { state: source } = read;
      if (source.status !== 'registered') break;
      const last = await this.lastJobs.of(source.last_job_id);
      const { last_job_id: lastJobId } = source;
      if (lastJobId !== null && this.isEnough(last, again)) return lastJobId;
      const jobId = await this.request({ content, read, lastJobId, last, requestId });
      if (jobId !== null) return jobId;
    }
    throw new FootnoteError('concurrent_change', 'The package kept changing; repeat the request', {
      retryAfter: 1,
    });
  }

  private isEnough({ state, open, changedAt }: LastJob, again: boolean): boolean {
    if (open) return true;
    if (state.status === 'completed') return !again;
    if (state.status !== 'failed' || changedAt === null) return false;
    return this.clock.now().getTime() - changedAt.getTime() < FAILURE_HOLDS_MS;
  }

  /** @returns null where the source got another job first. */
  private async request({
    content: { ownerTenantId, sourceId },
    read,
    lastJobId,
    last,
    requestId,
  }: SyncRequest): Promise<string | null> {
    const jobId = uuidv5('package-job', sourceId, lastJobId ?? '');
    const { state, position } = await this.commands.run({
      ownerTenantId,
      requestId,
      decider: sourceDecider,
      commandId: uuidv5('package-sync', jobId),
      stream: `source-${sourceId}`,
      // The id of the command depends on this state, so the command cannot have run before.
      known: read,
      decide: (current) => {
        if (current.status !== 'registered' || current.last_job_id !== lastJobId) return [];
        return sourceDecider.decide(
          { type: 'RequestSync', data: { job_id: jobId, last_job_open: false } },
          current,
        );
      },
    });
    if (state.status !== 'registered' || state.last_job_id !== jobId) return null;
    const { maxRetries } = this.config.jobs;
    const shownUrl = redactUrls(state.definition.url);
    const command = openJob({ source: state, shownUrl, lastJob: last.state, maxRetries });
    const opened = await this.commands.run({
      ownerTenantId,
      requestId,
      commandId: jobId,
      decider: jobDecider,
      stream: `job-${jobId}`,
      decide: (current) => jobDecider.decide(command, current),
    });
    await Promise.all([
      this.projected.reached('sources', position),
      this.projected.reached('jobs', opened.position),
    ]);
    return jobId;
  }
}
