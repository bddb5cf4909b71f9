import { Inject, Injectable } from '@nestjs/common';

import type { JobView } from '#contracts/http/index';
import { QUEUED_JOB } from '#domain';
import { EVENT_STORE, type EventStore, readEvent } from '#event-store';
import { redactReport } from '#ingest/redact/redact-urls';
import { isForTenant } from '#search';

import type { Caller } from '../auth/caller.js';
import { Unprojected } from '../write/unprojected.js';
import { reportAfter } from './report-after.js';

/** Reads a job from the log while the read model has not reached its first event. */
@Injectable()
export class UnprojectedJob {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly unprojected: Unprojected,
  ) {}

  /** Returns null for a job that is unknown, of another tenant or not for the whole tenant. */
  async find(caller: Caller, jobId: string): Promise<JobView | null> {
    const first = await this.unprojected.firstEvent('jobs', `job-${jobId}`, caller);
    const request = first && readEvent(first);
    if (request?.type !== 'JobRequested' || !isForTenant(request.data.audience)) return null;
    let report = QUEUED_JOB;
    for await (const recorded of this.store.read(`job-${jobId}`))
      report = reportAfter(report, recorded);
    return {
      id: jobId,
      source_id: request.data.source_id,
      created_at: request.occurred_at,
      ...redactReport(report),
      timeline: [...report.timeline],
    };
  }
}
