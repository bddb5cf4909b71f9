import { describe, expect, it } from '@jest/globals';

import { progressOf } from '#apps/api/jobs/job-progress';
import { jobsProjection } from '#apps/projector/projections/jobs.projection';
import type { ProjectedEvent } from '#apps/projector/runner/projection';
import { type JobReport, QUEUED_JOB, reportJob } from '#domain';
import { MemoryEventStore } from '#test/support/memory-event-store';
import { recordMixedHistory } from '#test/support/mixed-history';

const SHOWN = [
  'status',
  'stage',
  'progress_percent',
  'progress_message',
  'stage_details',
  'retry_count',
  'error_message',
  'error_details',
] as const;

describe("a job's stream and its read model", () => {
  it('show the same after every event', () => {
    const store = new MemoryEventStore();
    recordMixedHistory(store, 5_000);
    const rows = new Map<string, ReturnType<typeof jobsProjection.evolve>>();
    const reports = new Map<string, JobReport>();
    const compared = new Set<string>();
    for (const { stream, type, data, revision, position, metadata } of store.events) {
      if (!stream.startsWith('job-')) continue;
      const { tenant_id, occurred_at } = metadata;
      const event = {
        type,
        data,
        tenant_id,
        occurred_at,
        revision: Number(revision),
        position,
      } as ProjectedEvent;
      const row = jobsProjection.evolve(rows.get(stream), event);
      const report = reportJob(
        reports.get(stream) ?? QUEUED_JOB,
        event as Parameters<typeof reportJob>[1],
      );
      rows.set(stream, row);
      reports.set(stream, report);
      expect([type, pick(progressOf(stream.slice(4), report))]).toEqual([type, pick(row)]);
      compared.add(type);
    }
    expect([...compared].sort()).toEqual([
      'JobCancelled',
      'JobCompleted',
      'JobFailed',
      'JobProgressed',
      'JobRequested',
      'JobStageAdvanced',
      'JobStageFailed',
      'JobStageLost',
      'JobStageStarted',
      'JobStaged',
    ]);
  });
});

function pick(shown: unknown): unknown {
  return SHOWN.map((field) => [field, (shown as Record<string, unknown>)[field]]);
}
