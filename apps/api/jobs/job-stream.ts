import { Inject, Injectable, type MessageEvent } from '@nestjs/common';

import { isFootnoteError, type JobEvent } from '#contracts';
import { hasEnded, type JobReport, QUEUED_JOB, reportJob } from '#domain';
import { EVENT_STORE, type EventStore, type ReadEvent, readEvent } from '#event-store';
import { redactReport } from '#ingest/redact/redact-urls';
import { CLOCK, type Clock, LOGGER, type Logger } from '#platform';

import type { Caller } from '../auth/caller.js';
import { LiveCredentials } from '../auth/live-credentials.js';
import { notFound, requireId } from '../edge/path-id.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { isForTenant } from '../sources/visible-sources.js';
import { StreamSlots } from '../streams/stream-slots.js';
import { JobActivity } from './job-activity.js';
import { JobEnds } from './job-ends.js';
import { progressOf } from './job-progress.js';
import { Wakeup } from './wakeup.js';

/** A comment line this often keeps proxies from closing a quiet stream. */
const HEARTBEAT_MS = 15_000;
/** A stream whose key or session was revoked or has expired ends at the latest after this long. */
const CREDENTIALS_CHECK_MS = 500;
/** A stream ends after this long; the client resumes by its last id. */
const MAX_LIFE_MS = 60 * 60_000;

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
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly activity: JobActivity,
    private readonly lifecycle: Lifecycle,
    private readonly slots: StreamSlots,
    private readonly ends: JobEnds,
    private readonly credentials: LiveCredentials,
  ) {}

  /**
   * @param after the last revision that the client has, or null for all. @throws FootnoteError
   * `job_not_found`, `rate_limited`.
   */
  async open(
    caller: Caller,
    jobId: string,
    after: bigint | null,
    gone: AbortSignal,
  ): Promise<AsyncIterable<MessageEvent>> {
    await this.requireOwn(caller, jobId);
    const release = this.slots.take(caller.tenantId);
    // A client that left by now is never answered: nobody would begin what is returned, nor end it.
    gone.addEventListener('abort', release, { once: true });
    if (gone.aborted) release();
    return this.messages(caller, jobId, after, gone, release);
  }

  private async *messages(
    { principal }: Caller,
    jobId: string,
    after: bigint | null,
    gone: AbortSignal,
    release: () => void,
  ): AsyncGenerator<MessageEvent> {
    const wakeup = new Wakeup(AbortSignal.any([gone, this.lifecycle.draining]));
    const unsubscribe = this.activity.onActivity(jobId, () => wakeup.ring());
    const until = this.clock.monotonic() + MAX_LIFE_MS;
    let report = QUEUED_JOB;
    let next = 0n;
    try {
      yield { comment: 'open' };
      while (!gone.aborted && this.clock.monotonic() < until) {
        for await (const recorded of this.store.read(`job-${jobId}`, { from: next })) {
          next = recorded.revision + 1n;
          report = reported(report, readEvent(recorded));
          if (hasEnded(report)) await this.ends.showAt(recorded.position, report.status);
          if (after === null || recorded.revision > after)
            yield message(jobId, report, recorded.revision);
          if (gone.aborted) return;
        }
        if (hasEnded(report)) return;
        if (this.lifecycle.draining.aborted) {
          yield failure('shutting_down', 'The process is shutting down; resume by Last-Event-ID');
          return;
        }
        const heartbeat = this.clock.monotonic() + HEARTBEAT_MS;
        let rung: boolean;
        do {
          rung = await wakeup.wait(CREDENTIALS_CHECK_MS);
          if (principal && !this.credentials.isKnown(principal)) {
            yield failure(
              'engine_unavailable',
              'The service is cut off from its event log; resume by Last-Event-ID',
            );
            return;
          }
          if (principal && !this.credentials.isLive(principal)) {
            yield failure(
              'unauthorized',
              'The API key or session of this stream was revoked or has expired',
            );
            return;
          }
        } while (!rung && this.clock.monotonic() < heartbeat);
        if (!rung && !gone.aborted) yield { comment: 'keep-alive' };
      }
    } catch (error) {
      this.logger.error({ err: error, job_id: jobId }, 'A job stream failed');
      const code = isFootnoteError(error) ? error.code : 'internal_error';
      yield failure(code, 'The stream failed; resume by Last-Event-ID');
    } finally {
      unsubscribe();
      release();
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

function reported(report: JobReport, event: ReadEvent | undefined): JobReport {
  return event?.type.startsWith('Job')
    ? reportJob(report, event as ReadEvent<JobEvent['type']>)
    : report;
}

function message(jobId: string, report: JobReport, revision: bigint): MessageEvent {
  return {
    type: hasEnded(report) ? 'done' : 'progress',
    id: String(revision),
    data: redactReport(progressOf(jobId, report)),
  };
}

/** Carries no id: an error is not a place to resume from. */
function failure(code: string, error: string): MessageEvent {
  return { type: 'error', id: '', data: { error, code } };
}
