import { Inject, Injectable } from '@nestjs/common';

import type { Audience, Position } from '#contracts';
import {
  jobDecider,
  openJob,
  type RegisteredSource,
  type RemovedSource,
  sourceDecider,
} from '#domain';
import { redactUrls } from '#ingest/redact/redact-urls';
import { type Config, uuidv5 } from '#platform';
import { isFor } from '#search';

import type { Caller } from '../auth/caller.js';
import { notFound } from '../edge/path-id.js';
import { CONFIG } from '../engines/engines.js';
import type { CommandIdentity } from '../write/command-identity.js';
import { Projected } from '../write/projected.js';
import { StreamCommands } from '../write/stream-commands.js';
import { type LastJob, LastJobs } from './last-job.js';

/** A sync that somebody asks for. */
export interface WantedSync {
  readonly caller: Caller;
  readonly identity: CommandIdentity;
  readonly sourceId: string;
  /** Id of the job to open; the same for a repeated request. */
  readonly jobId: string;
  /**
   * If a sync is pending or running: `refuse` with `sync_in_progress`, or `queue` this one after
   * it.
   */
  readonly whileOneRuns: 'refuse' | 'queue';
  /** Audience of the source; others get `source_not_found`. Default: its tenant. */
  readonly audience?: Audience;
}

export interface AcceptedSync {
  readonly source: RegisteredSource;
  readonly outcome: 'started' | 'queued';
  /** The request had been accepted before, and nothing was done. */
  readonly repeated: boolean;
}

/**
 * Two appends in a fixed order, each safe to repeat: SourceSyncRequested at the source's revision,
 * which fences simultaneous syncs, then JobRequested. Should this process die between them, the
 * dispatcher repeats the second.
 */
@Injectable()
export class SyncAcceptance {
  constructor(
    private readonly commands: StreamCommands,
    private readonly projected: Projected,
    private readonly lastJobs: LastJobs,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws FootnoteError `source_not_found`, `sync_in_progress`. */
  async accept(wanted: WantedSync): Promise<AcceptedSync> {
    const { caller, jobId } = wanted;
    const { source, position, lastJob, outcome, repeated } = await this.request(wanted);
    const requested =
      outcome === 'started' ? await this.openJob(caller, source, jobId, lastJob) : null;
    await Promise.all([
      this.projected.reached('sources', position),
      this.projected.reached('jobs', requested),
    ]);
    return { source, outcome, repeated };
  }

  private async request({ caller, identity, sourceId, jobId, whileOneRuns, audience }: WantedSync) {
    const absent = () => notFound('source_not_found', sourceId);
    let lastJob: LastJob | undefined;
    const { state, position, events, replayed } = await this.commands.run({
      caller,
      identity,
      stream: `source-${sourceId}`,
      decider: sourceDecider,
      expected: 'existing',
      absent,
      decide: async (current) => {
        if (current.status === 'absent' || !isFor(current.audience, audience)) throw absent();
        lastJob = await this.lastJobs.of(jobBefore(current, jobId));
        if (lastJob.open && whileOneRuns === 'queue') {
          return sourceDecider.decide({ type: 'QueueSync', data: {} }, current);
        }
        const data = { job_id: jobId, last_job_open: lastJob.open };
        return sourceDecider.decide({ type: 'RequestSync', data }, current);
      },
    });
    if (state.status !== 'registered') throw absent();
    lastJob ??= await this.lastJobs.of(jobBefore(state, jobId));
    const outcome =
      events[0]?.type === 'SourceSyncQueued' ? ('queued' as const) : ('started' as const);
    return { source: state, position, lastJob, outcome, repeated: replayed };
  }

  private async openJob(
    caller: Caller,
    source: RegisteredSource,
    jobId: string,
    lastJob: LastJob,
  ): Promise<Position | null> {
    const shownUrl = redactUrls(source.definition.url);
    const { maxRetries } = this.config.jobs;
    const command = openJob({ source, shownUrl, lastJob: lastJob.state, maxRetries });
    const { position } = await this.commands.run({
      caller,
      identity: { commandId: jobId, idempotency: undefined, newId: (kind) => uuidv5(kind, jobId) },
      stream: `job-${jobId}`,
      decider: jobDecider,
      expected: 'new',
      unread: true,
      decide: (current) => jobDecider.decide(command, current),
    });
    return position;
  }
}

/** Returns the job of a source before `jobId`, which a repeated request finds there. */
function jobBefore(source: RegisteredSource | RemovedSource, jobId: string): string | null {
  return source.last_job_id === jobId ? source.previous_job_id : source.last_job_id;
}
