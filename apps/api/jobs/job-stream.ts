import { Inject, Injectable, type MessageEvent } from '@nestjs/common';

import { hasEnded, type JobReport, QUEUED_JOB } from '#domain';
import { EVENT_STORE, type EventStore, readEvent } from '#event-store';
import { redactReport } from '#ingest/redact/redact-urls';
import { CLOCK, type Clock } from '#platform';
import { isForTenant } from '#search';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { EventStreamResponse } from '../streams/event-stream-response.js';
import { followStream } from '../streams/follow-stream.js';
import { JobActivity } from './job-activity.js';
import { progressOf } from './job-progress.js';
import { JobVisibility } from './job-visibility.js';
import { reportAfter } from './report-after.js';

/**
 * The progress of one job as server-sent events: `progress` after every event, `done` after the
 * last. The id of each is the event's revision, so that `Last-Event-ID` resumes without loss or
 * repeat. A finished job replays and closes. A stream ends with the key or session that opened it.
 */
@Injectable()
export class JobStream {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly activity: JobActivity,
    private readonly response: EventStreamResponse,
    private readonly visibility: JobVisibility,
  ) {}

  /**
   * Opens the stream of a job of the caller.
   * @param after the last revision that the client has, or null for all. @throws FootnoteError
   * `job_not_found`, `rate_limited`.
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
      messages: (signal) => this.messages(jobId, after, signal),
      resumable: true,
      logFields: { job_id: jobId },
    });
  }

  private async *messages(
    jobId: string,
    after: bigint | null,
    signal: AbortSignal,
  ): AsyncGenerator<MessageEvent, void> {
    const { store, clock, activity } = this;
    let report = QUEUED_JOB;
    yield { comment: 'open' };
    const followed = followStream({ store, clock, activity, category: 'job', id: jobId, signal });
    for await (const recorded of followed) {
      if (recorded === null) {
        if (hasEnded(report)) return;
        continue;
      }
      report = reportAfter(report, recorded);
      if (hasEnded(report)) await this.visibility.showAt(recorded.position, report.status);
      if (after === null || recorded.revision > after)
        yield message(jobId, report, recorded.revision);
    }
  }

  private async requireOwn(caller: Caller, jobId: string): Promise<void> {
    for await (const first of this.store.read(`job-${requireId('job_not_found', jobId)}`, {
      limit: 1,
    })) {
      const event = readEvent(first);
      const audience = event?.type === 'JobRequested' ? event.data.audience : undefined;
      if (first.metadata.tenant_id === caller.tenantId && isForTenant(audience)) return;
    }
    throw notFound('job_not_found', jobId);
  }
}

function message(jobId: string, report: JobReport, revision: bigint): MessageEvent {
  return {
    type: hasEnded(report) ? 'done' : 'progress',
    id: String(revision),
    data: redactReport(progressOf(jobId, report)),
  };
}
