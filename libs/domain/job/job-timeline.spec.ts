import { describe, expect, it } from '@jest/globals';

import type { JobEvent, StageAttempt } from '#contracts';

import { MAX_TIMELINE, timelineAfter } from './job-timeline.js';

const job_id = 'j1';
const started = (stage: 'fetch' | 'parse', attempt = 1): JobEvent => ({
  type: 'JobStageStarted',
  data: { job_id, stage, attempt, worker: 'w' },
});
const failed = (attempt: number, retry_at: string | null): JobEvent => ({
  type: 'JobStageFailed',
  data: {
    job_id,
    stage: 'fetch',
    attempt,
    error_message: 'away',
    error_details: null,
    retryable: true,
    retry_count: 1,
    retry_at,
  },
});
const advanced: JobEvent = {
  type: 'JobStageAdvanced',
  data: {
    job_id,
    stage: 'fetch',
    attempt: 2,
    next: 'parse',
    artifact: 'a'.repeat(64),
    stage_details: {},
  },
};

/** Returns the timeline after events, one per minute. */
function after(...events: readonly JobEvent[]): readonly StageAttempt[] {
  return events.reduce<readonly StageAttempt[]>(
    (timeline, event, index) => timelineAfter(timeline, { ...event, occurred_at: minute(index) }),
    [],
  );
}
const minute = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();

describe('job timeline', () => {
  it('has every attempt with its times and its outcome', () => {
    expect(
      after(
        started('fetch'),
        failed(1, minute(2)),
        started('fetch', 2),
        advanced,
        started('parse', 2),
      ),
    ).toEqual([
      { stage: 'fetch', attempt: 1, started_at: minute(0), ended_at: minute(1), outcome: 'failed' },
      {
        stage: 'fetch',
        attempt: 2,
        started_at: minute(2),
        ended_at: minute(3),
        outcome: 'completed',
      },
      { stage: 'parse', attempt: 2, started_at: minute(4), ended_at: null, outcome: 'running' },
    ]);
  });

  it('ends the running attempt with the job, once', () => {
    const end: JobEvent = {
      type: 'JobFailed',
      data: { job_id, source_id: 's', error_message: '', error_details: null },
    };
    const last = after(started('fetch'), failed(1, null), end).at(-1);
    expect(last).toMatchObject({ ended_at: minute(1), outcome: 'failed' });
    const cancelled: JobEvent = { type: 'JobCancelled', data: { job_id, source_id: 's' } };
    expect(after(started('fetch'), cancelled)).toMatchObject([
      { ended_at: minute(1), outcome: 'cancelled' },
    ]);
    const lost: JobEvent = {
      type: 'JobStageLost',
      data: { job_id, stage: 'fetch', attempt: 1, retry_count: 1, deaths: 1 },
    };
    expect(after(started('fetch'), lost, cancelled)).toMatchObject([
      { ended_at: minute(1), outcome: 'lost' },
    ]);
  });

  it('begins the last stage, which has no worker, when the generation is staged', () => {
    const outcome = {
      generation: 1,
      manifest: 'b'.repeat(64),
      version_ref: 'v',
      file_count: 1,
      chunk_count: 1,
    };
    const counters = {
      files_processed: 1,
      chunks_created: 1,
      chunks_updated: 0,
      chunks_deleted: 0,
    };
    const staged: JobEvent = {
      type: 'JobStaged',
      data: { job_id, source_id: 's', attempt: 1, ...outcome, stage_details: {} },
    };
    const completed: JobEvent = {
      type: 'JobCompleted',
      data: { job_id, source_id: 's', ...outcome, ...counters },
    };
    expect(after(started('fetch'), staged, completed)).toEqual([
      {
        stage: 'fetch',
        attempt: 1,
        started_at: minute(0),
        ended_at: minute(1),
        outcome: 'completed',
      },
      {
        stage: 'finalize',
        attempt: 1,
        started_at: minute(1),
        ended_at: minute(2),
        outcome: 'completed',
      },
    ]);
  });

  it('keeps the newest attempts of a job that is lost repeatedly', () => {
    const rounds = Array.from({ length: MAX_TIMELINE + 20 }, (_, index) =>
      started('fetch', index + 1),
    );
    const timeline = after(...rounds);
    expect(timeline).toHaveLength(MAX_TIMELINE);
    expect(timeline.at(-1)).toMatchObject({ attempt: MAX_TIMELINE + 20, outcome: 'running' });
  });
});
