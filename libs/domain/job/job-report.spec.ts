import { describe, expect, it } from '@jest/globals';

import type { JobEvent } from '#contracts';

import { hasEnded, type JobReport, QUEUED_JOB, reportJob } from './job-report.js';

const JOB = { job_id: 'j', source_id: 's' };
const WORK = { job_id: 'j', stage: 'embed', attempt: 1 } as const;
const PROGRESS = {
  ...WORK,
  progress_percent: 70,
  progress_message: 'Half',
  stage_details: { chunks_embedded: 5 },
};
const COUNTS = { files_processed: 3, chunks_created: 9, chunks_updated: 0, chunks_deleted: 1 };
const OUTCOME = { manifest: 'm', version_ref: 'v', file_count: 3, chunk_count: 9 };
const FAILURE = { error_message: 'away', error_details: { url: 'u' } };

const STARTED: JobEvent = { type: 'JobStageStarted', data: { ...WORK, worker: 'w' } };
const HALF: JobEvent = { type: 'JobProgressed', data: { ...PROGRESS, files_processed: 3 } };

/** Returns the report after the events, one per second from 00:00:01. */
function after(...events: readonly JobEvent[]): JobReport {
  return events.reduce(
    (report, event, at) => reportJob(report, { ...event, occurred_at: `00:00:0${at + 1}` }),
    QUEUED_JOB,
  );
}

describe('job report', () => {
  it('begins as queued', () => {
    const requested = {
      ...JOB,
      url: 'https://example.com/a',
      source_revision: 0,
      generation: 1,
      base: null,
      max_retries: 3,
    };
    expect(after({ type: 'JobRequested', data: requested })).toEqual(QUEUED_JOB);
    expect(QUEUED_JOB).toMatchObject({
      status: 'pending',
      stage: 'queued',
      progress_percent: 0,
      started_at: null,
    });
  });

  it('starts once, however often its stages do', () => {
    const again: JobEvent = { type: 'JobStageStarted', data: { ...WORK, attempt: 2, worker: 'w' } };
    expect(after(STARTED, again)).toMatchObject({
      status: 'running',
      stage: 'embed',
      started_at: '00:00:01',
    });
  });

  it('reports progress, counters and details of the running stage and keeps absent counters', () => {
    const further: JobEvent = {
      type: 'JobProgressed',
      data: { ...PROGRESS, progress_percent: 75, chunks_created: 9 },
    };
    expect(after(STARTED, HALF, further)).toMatchObject({
      progress_percent: 75,
      progress_message: 'Half',
      stage_details: { chunks_embedded: 5 },
      files_processed: 3,
      chunks_created: 9,
    });
  });

  it('never decreases progress, and continues the details in another attempt at a stage', () => {
    const lost: JobEvent = { type: 'JobStageLost', data: { ...WORK, retry_count: 1, deaths: 1 } };
    const again = after(STARTED, HALF, lost, STARTED);
    expect(again).toMatchObject({
      progress_percent: 70,
      retry_count: 1,
      stage_details: { chunks_embedded: 5 },
    });
    const next: JobEvent = {
      type: 'JobStageStarted',
      data: { ...WORK, stage: 'index', worker: 'w' },
    };
    expect(after(STARTED, HALF, next)).toMatchObject({
      stage: 'index',
      progress_percent: 80,
      stage_details: { chunks_embedded: 5, chunks_indexed: 0 },
    });
  });

  it('has the counters of a stage from its start, and keeps those of earlier stages', () => {
    const cut = { files_parsed: 2, files_skipped: 1, chunks: 9 };
    const data = {
      ...WORK,
      stage: 'chunk',
      next: 'embed',
      artifact: 'a',
      stage_details: cut,
    } as const;
    expect(after({ type: 'JobStageAdvanced', data }, STARTED).stage_details).toEqual({
      ...cut,
      chunks_embedded: 0,
      total_chunks: 9,
    });
  });

  it('shows a finished stage until the next one starts', () => {
    const details = { chunks_embedded: 9 };
    const data = { ...WORK, next: 'index', artifact: 'a', stage_details: details } as const;
    expect(after(STARTED, { type: 'JobStageAdvanced', data })).toMatchObject({
      stage: 'embed',
      progress_percent: 80,
      progress_message: 'Stage embed is done',
      stage_details: details,
    });
  });

  it('reports why a stage failed and when it is retried', () => {
    const retry = { retryable: true, retry_count: 1, retry_at: '2026-01-01T00:00:00.000Z' };
    expect(
      after(STARTED, { type: 'JobStageFailed', data: { ...WORK, ...FAILURE, ...retry } }),
    ).toMatchObject({
      status: 'running',
      retry_count: 1,
      error_message: null,
      progress_message: 'Stage embed failed: away. It is tried again at 2026-01-01T00:00:00.000Z',
    });
  });

  it('is published at 100 percent, with the counters of its end', () => {
    const staged: JobEvent = {
      type: 'JobStaged',
      data: { ...JOB, ...OUTCOME, attempt: 1, generation: 1, stage_details: { chunks_indexed: 9 } },
    };
    expect(after(STARTED, staged)).toMatchObject({
      status: 'running',
      stage: 'finalize',
      progress_percent: 95,
    });
    const completed: JobEvent = {
      type: 'JobCompleted',
      data: { ...JOB, ...OUTCOME, ...COUNTS, generation: 1 },
    };
    expect(after(STARTED, HALF, staged, completed)).toMatchObject({
      status: 'completed',
      stage: 'finalize',
      progress_percent: 100,
      completed_at: '00:00:04',
      ...COUNTS,
      progress_message: 'Completed',
      stage_details: { chunks_embedded: 5, chunks_indexed: 9 },
    });
  });

  it.each([
    [{ files_unchanged: 3 }, 3, '3 unchanged since the last sync'],
    [{ files_not_selected: 12 }, 0, "12 left out by the source's patterns"],
    [
      { files_skipped: 3, files_skipped_too_large: 1, files_skipped_binary: 2 },
      0,
      '3 skipped (1 too large, 2 binary)',
    ],
    [
      { files_unchanged: 1, files_not_selected: 2 },
      1,
      "1 unchanged since the last sync, 2 left out by the source's patterns",
    ],
    [{}, 0, 'the source has none'],
    [{}, 3, 'nothing has changed since the last sync'],
  ])('reports why no file was read: %j of %d', (counted, file_count, reason) => {
    const fetching: JobEvent = {
      type: 'JobStageStarted',
      data: { ...WORK, stage: 'fetch', worker: 'w' },
    };
    const data = {
      ...JOB,
      ...OUTCOME,
      ...COUNTS,
      file_count,
      generation: 1,
      stage_details: counted,
    };
    const report = after(fetching, { type: 'JobCompleted', data });
    expect(report.progress_message).toBe(`Completed; no file was read: ${reason}`);
    expect(report.stage_details).toEqual({ files_fetched: 0, bytes_fetched: 0, ...counted });
  });

  it('reports why no file was indexed', () => {
    const stage_details = {
      files_fetched: 2,
      files_parsed: 0,
      files_skipped: 2,
      files_skipped_binary: 2,
    };
    const data = { ...JOB, ...OUTCOME, ...COUNTS, generation: 1, stage_details };
    expect(after(STARTED, { type: 'JobCompleted', data }).progress_message).toBe(
      'Completed; no file was indexed: 2 skipped (2 binary)',
    );
  });

  it('keeps its progress when it fails or is cancelled', () => {
    const failed = after(STARTED, HALF, { type: 'JobFailed', data: { ...JOB, ...FAILURE } });
    expect(failed).toMatchObject({
      ...FAILURE,
      status: 'failed',
      stage: 'embed',
      progress_percent: 70,
    });
    const cancelled = after(STARTED, { type: 'JobCancelled', data: JOB });
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      error_message: null,
      completed_at: '00:00:02',
    });
    expect([failed, cancelled, after(STARTED)].map(hasEnded)).toEqual([true, true, false]);
  });

  it('keeps other fields unchanged', () => {
    const row = { ...QUEUED_JOB, tenant_id: 't' };
    expect(reportJob(row, { ...STARTED, occurred_at: '00:00:01' })).toMatchObject({
      tenant_id: 't',
      stage: 'embed',
    });
  });
});
