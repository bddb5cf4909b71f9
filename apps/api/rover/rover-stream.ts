import { Inject, Injectable, type MessageEvent } from '@nestjs/common';

import type { RoverEvent } from '#contracts';
import { isOpenRoverJob, type RoverJob, roverProgress } from '#domain';
import { EVENT_STORE, type EventStore, type ReadEvent, readEvent } from '#event-store';
import { CLOCK, type Clock } from '#platform';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { EventStreamResponse } from '../streams/event-stream-response.js';
import { followStream } from '../streams/follow-stream.js';
import { Projected } from '../write/projected.js';
import { RoverActivity } from './rover-activity.js';
import { roverStepView } from './rover-job-view.js';
import { type FoldedRoverJob, NO_ROVER_JOB, roverJobAfter, RoverJobs } from './rover-jobs.js';

type RoverRead = ReadEvent<RoverEvent['type']>;

/**
 * One rover job as server-sent events: `status`, `step`, `token`, and `done` as the last. The id of
 * an event is its revision in the stream, so `Last-Event-ID` resumes without loss or repeat.
 */
@Injectable()
export class RoverStream {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly activity: RoverActivity,
    private readonly response: EventStreamResponse,
    private readonly jobs: RoverJobs,
    private readonly projected: Projected,
  ) {}

  /**
   * Opens the stream of a job of the caller.
   * @param after the last revision that the client has, or null for all. @throws FootnoteError
   * `rover_job_not_found`, `rate_limited`.
   */
  async open(
    caller: Caller,
    jobId: string,
    after: bigint | null,
    clientAborted: AbortSignal,
  ): Promise<AsyncIterable<MessageEvent>> {
    await this.requireOwn(caller, jobId);
    return this.response.frames({
      caller,
      clientAborted,
      release: this.response.reserve(caller, clientAborted),
      messages: (signal) => this.messages(caller, jobId, after, signal),
      resumable: true,
      logFields: { rover_job_id: jobId },
    });
  }

  private async *messages(
    caller: Caller,
    id: string,
    after: bigint | null,
    signal: AbortSignal,
  ): AsyncGenerator<MessageEvent, void> {
    const { store, clock, activity } = this;
    const followed = followStream({ store, clock, activity, category: 'rover', id, signal });
    let folded = NO_ROVER_JOB;
    yield { comment: 'open' };
    for await (const recorded of followed) {
      if (recorded === null) {
        if (hasEnded(folded)) return;
        continue;
      }
      const event = readEvent(recorded) as RoverRead | undefined;
      if (!event) continue;
      folded = roverJobAfter(folded, event);
      if (after !== null && recorded.revision <= after) continue;
      if (hasEnded(folded)) await this.projected.reached('rover_jobs', recorded.position);
      const message = await this.messageOf(caller, event, folded);
      if (message) yield { ...message, id: String(recorded.revision) };
    }
  }

  /** Returns the message of one event; null for an event that clients do not see. */
  private async messageOf(
    { tenantId }: Caller,
    event: RoverRead,
    folded: FoldedRoverJob,
  ): Promise<MessageEvent | null> {
    const { state } = folded;
    if (state.status === 'absent') return null;
    switch (event.type) {
      case 'RoverJobRequested':
      case 'RoverJobStarted':
      case 'RoverStepProgressed':
      case 'RoverRepositoryAttached':
        return { type: 'status', data: statusOf(state) };
      case 'RoverStepStarted':
      case 'RoverStepCompleted': {
        const { step_id } = event.data;
        const step = state.steps.find((each) => each.step_id === step_id);
        return step ? { type: 'step', data: roverStepView(step) } : null;
      }
      case 'RoverTokensWritten': {
        const { rover_job_id, part, sealed } = event.data;
        const token = await this.jobs.token(tenantId, rover_job_id, part, sealed);
        return token === null ? null : { type: 'token', data: { token } };
      }
      case 'RoverJobCompleted':
      case 'RoverJobFailed':
      case 'RoverJobCancelled':
        return { type: 'done', data: await this.jobs.view(tenantId, folded) };
      default:
        return null;
    }
  }

  private async requireOwn({ tenantId }: Caller, jobId: string): Promise<void> {
    const stream = `rover-${requireId('rover_job_not_found', jobId)}` as const;
    for await (const first of this.store.read(stream, { limit: 1 }))
      if (first.metadata.tenant_id === tenantId) return;
    throw notFound('rover_job_not_found', jobId);
  }
}

function hasEnded({ state }: FoldedRoverJob): boolean {
  return state.status !== 'absent' && !isOpenRoverJob(state);
}

function statusOf(job: RoverJob) {
  return { status: job.status, progress_percent: roverProgress(job) };
}
