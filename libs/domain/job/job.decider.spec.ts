import { describe, expect, it } from '@jest/globals';

import type { JobEvent, Stage } from '#contracts';
import { specify } from '#test/support/decider-spec';

import { jobDecider } from './job.decider.js';
import { baseOf, dueWork, isOpen, isTerminal, nextGeneration } from './job.queries.js';
import type { JobState } from './job.state.js';

const { given } = specify(jobDecider);
const hash = (digit: string) => digit.repeat(64);
const url = 'https://example.com/a.git';
const base = { generation: 4, manifest: hash('b'), version_ref: 'old' };
const terms = {
  job_id: 'j1',
  source_id: 's1',
  url,
  source_revision: 0,
  generation: 5,
  base,
  max_retries: 3,
};
const requested: JobEvent = { type: 'JobRequested', data: terms };
const started = (stage: Stage, attempt = 1): JobEvent => ({
  type: 'JobStageStarted',
  data: { job_id: 'j1', stage, attempt, worker: 'w1' },
});
const progressed = (stage: Stage, attempt: number, progress_percent: number): JobEvent => ({
  type: 'JobProgressed',
  data: {
    job_id: 'j1',
    stage,
    attempt,
    progress_percent,
    progress_message: 'on it',
    stage_details: {},
  },
});
const advanced = (stage: Stage, next: Stage, attempt = 1): JobEvent => ({
  type: 'JobStageAdvanced',
  data: { job_id: 'j1', stage, attempt, next, artifact: hash('a'), stage_details: {} },
});
const lost = (stage: Stage, attempt: number, retry_count: number, deaths = 1): JobEvent => ({
  type: 'JobStageLost',
  data: { job_id: 'j1', stage, attempt, retry_count, deaths },
});
const retried = (stage: Stage, attempt: number, retry_count: number): JobEvent => ({
  type: 'JobStageFailed',
  data: {
    job_id: 'j1',
    stage,
    attempt,
    error_message: 'away',
    error_details: null,
    retryable: true,
    retry_count,
    retry_at: '2026-01-17T10:00:00.000Z',
  },
});
const counters = { files_processed: 3, chunks_created: 9, chunks_updated: 0, chunks_deleted: 1 };
const staging = {
  manifest: hash('c'),
  version_ref: 'new',
  file_count: 3,
  chunk_count: 9,
  stage_details: { chunks_indexed: 9, total_chunks: 9 },
  ...counters,
};
const staged: JobEvent = {
  type: 'JobStaged',
  data: { job_id: 'j1', source_id: 's1', attempt: 1, generation: 5, ...staging },
};
const completed: JobEvent = {
  type: 'JobCompleted',
  data: {
    job_id: 'j1',
    source_id: 's1',
    generation: 5,
    manifest: hash('c'),
    version_ref: 'new',
    url: 'https://example.com/a.git',
    file_count: 3,
    chunk_count: 9,
    ...counters,
  },
};
const failed = (error_message: string): JobEvent => ({
  type: 'JobFailed',
  data: { job_id: 'j1', source_id: 's1', error_message, error_details: null },
});
const cancelled: JobEvent = { type: 'JobCancelled', data: { job_id: 'j1', source_id: 's1' } };
const indexing = [
  requested,
  started('fetch'),
  advanced('fetch', 'parse'),
  started('parse'),
  advanced('parse', 'chunk'),
  started('chunk'),
  advanced('chunk', 'embed'),
  started('embed'),
  advanced('embed', 'index'),
  started('index'),
];
const terminal = {
  completed: [...indexing, staged, completed],
  failed: [requested, failed('no')],
  cancelled: [requested, cancelled],
};

describe('job: due work', () => {
  const table: readonly [
    string,
    readonly JobEvent[],
    JobState['status'],
    ReturnType<typeof dueWork>,
  ][] = [
    ['requested', [requested], 'pending', { stage: 'fetch', attempt: 1 }],
    ['fetch started', [requested, started('fetch')], 'running', null],
    [
      'fetch progressed',
      [requested, started('fetch'), progressed('fetch', 1, 12)],
      'running',
      null,
    ],
    ['fetch advanced', indexing.slice(0, 3), 'running', { stage: 'parse', attempt: 1 }],
    ['parse advanced', indexing.slice(0, 5), 'running', { stage: 'chunk', attempt: 1 }],
    ['chunk advanced', indexing.slice(0, 7), 'running', { stage: 'embed', attempt: 1 }],
    ['embed advanced', indexing.slice(0, 9), 'running', { stage: 'index', attempt: 1 }],
    ['index started', indexing, 'running', null],
    ['staged', [...indexing, staged], 'running', { stage: 'finalize', attempt: 1 }],
    [
      'fetch failed, retry planned',
      [requested, started('fetch'), retried('fetch', 1, 1)],
      'running',
      { stage: 'fetch', attempt: 2, at: '2026-01-17T10:00:00.000Z' },
    ],
    [
      'parse lost',
      [...indexing.slice(0, 4), lost('parse', 1, 0)],
      'running',
      { stage: 'parse', attempt: 2 },
    ],
    ['completed', terminal.completed, 'completed', null],
    ['failed', terminal.failed, 'failed', null],
    ['cancelled', terminal.cancelled, 'cancelled', null],
    ['cancelled while staged', [...indexing, staged, cancelled], 'cancelled', null],
    ['nothing', [], 'absent', null],
  ];
  it.each(table)('%s', (_, events, status, due) => {
    const state = given(...events).thenState();
    expect(state.status).toBe(status);
    expect(dueWork(state)).toEqual(due);
    expect(isOpen(state)).toBe(status === 'pending' || status === 'running');
  });
});

describe('job: the lease', () => {
  it('is taken by the due attempt and by no other', () => {
    const start = (stage: Stage, attempt: number) =>
      ({ type: 'StartStage', data: { stage, attempt, worker: 'w1' } }) as const;
    given(requested).when(start('fetch', 1)).then(started('fetch'));
    given(requested).when(start('parse', 1)).thenNothingHappened();
    given(requested).when(start('fetch', 2)).thenNothingHappened();
    given(requested, started('fetch')).when(start('fetch', 1)).thenNothingHappened();
    given(requested, started('fetch'), lost('fetch', 1, 1))
      .when(start('fetch', 1))
      .thenNothingHappened();
    given(requested, started('fetch'), lost('fetch', 1, 1))
      .when(start('fetch', 2))
      .then(started('fetch', 2));
    given(requested, started('fetch'), retried('fetch', 1, 1))
      .when(start('fetch', 2))
      .then(started('fetch', 2));
  });

  it('costs no retry if a stopping process releases it', () => {
    const released = {
      type: 'LoseStage',
      data: { stage: 'fetch', attempt: 1, released: true },
    } as const;
    given(requested, started('fetch'))
      .when(released)
      .then(lost('fetch', 1, 0, 0));
  });

  it('costs a retry but no death if a running process releases it', () => {
    given(requested, started('fetch'))
      .when({ type: 'LoseStage', data: { stage: 'fetch', attempt: 1, handedBack: true } })
      .then(lost('fetch', 1, 1, 0));
  });

  it('costs a retry if it is lost without progress, and none with progress', () => {
    const lose = { type: 'LoseStage', data: { stage: 'fetch', attempt: 1 } } as const;
    given(requested, started('fetch'))
      .when(lose)
      .then(lost('fetch', 1, 1));
    given(requested, started('fetch'), progressed('fetch', 1, 10))
      .when(lose)
      .then(lost('fetch', 1, 1));
    given(requested, started('fetch'), progressed('fetch', 1, 11))
      .when(lose)
      .then(lost('fetch', 1, 0));
  });

  it('counts only progress beyond that of earlier attempts, so that a crash loop ends', () => {
    given(
      requested,
      started('fetch'),
      progressed('fetch', 1, 15),
      lost('fetch', 1, 0),
      started('fetch', 2),
      progressed('fetch', 2, 15),
    )
      .when({ type: 'LoseStage', data: { stage: 'fetch', attempt: 2 } })
      .then(lost('fetch', 2, 1, 2));
  });

  it('fails the job in the same append if it is lost more often than allowed', () => {
    given({ ...requested, data: { ...requested.data, max_retries: 0 } }, started('fetch'))
      .when({ type: 'LoseStage', data: { stage: 'fetch', attempt: 1 } })
      .then(
        lost('fetch', 1, 0),
        failed(
          'The worker ended without notice once while it ran this job, the last time in stage fetch',
        ),
      );
  });

  it('fails the job at the third death of its worker, whatever progress was made before', () => {
    const twice = [
      ...[requested, started('fetch'), progressed('fetch', 1, 11), lost('fetch', 1, 0, 1)],
      ...[
        started('fetch', 2),
        advanced('fetch', 'parse', 2),
        started('parse', 2),
        lost('parse', 2, 0, 2),
      ],
    ];
    given(...twice, started('parse', 3), progressed('parse', 3, 40))
      .when({ type: 'LoseStage', data: { stage: 'parse', attempt: 3 } })
      .then(
        lost('parse', 3, 0, 3),
        failed(
          'The worker ended without notice 3 times while it ran this job, the last time in stage parse',
        ),
      );
    given(...twice, started('parse', 3))
      .when({ type: 'LoseStage', data: { stage: 'parse', attempt: 3, released: true } })
      .then(lost('parse', 3, 0, 2));
  });

  it('cannot be lost by work that is not started, or by another attempt', () => {
    given(requested)
      .when({ type: 'LoseStage', data: { stage: 'fetch', attempt: 1 } })
      .thenNothingHappened();
    given(requested, started('fetch'))
      .when({ type: 'LoseStage', data: { stage: 'fetch', attempt: 2 } })
      .thenNothingHappened();
    given(...indexing, staged)
      .when({ type: 'LoseStage', data: { stage: 'finalize', attempt: 1 } })
      .thenNothingHappened();
  });
});

describe('job: a failing stage', () => {
  const fail = (retryable: boolean, attempt = 1) =>
    ({
      type: 'FailStage',
      data: {
        stage: 'fetch',
        attempt,
        error_message: 'away',
        error_details: null,
        retryable,
        retry_at: '2026-01-17T10:00:00.000Z',
      },
    }) as const;

  it('is retried if the failure may be temporary', () => {
    given(requested, started('fetch'))
      .when(fail(true))
      .then(retried('fetch', 1, 1));
  });

  it('begins again with the fetch if the input of the stage is lost', () => {
    const inChunk = [
      ...[requested, started('fetch'), advanced('fetch', 'parse'), started('parse')],
      ...[advanced('parse', 'chunk'), started('chunk')],
    ];
    const { data } = fail(true);
    const command = {
      type: 'FailStage',
      data: { ...data, stage: 'chunk', inputLost: true },
    } as const;
    const { type, data: failure } = retried('chunk', 1, 1) as Extract<
      JobEvent,
      { type: 'JobStageFailed' }
    >;
    const event: JobEvent = { type, data: { ...failure, next: 'fetch' } };
    given(...inChunk)
      .when(command)
      .then(event);
    const again = given(...inChunk, event).thenState() as Extract<JobState, { stage: Stage }>;
    expect(again).toMatchObject({ stage: 'fetch', attempt: 2, artifact: null, retry_count: 1 });
    expect(dueWork(again)).toEqual({ stage: 'fetch', attempt: 2, at: data.retry_at });
    given(...inChunk, event)
      .when({ type: 'StartStage', data: { stage: 'chunk', attempt: 2, worker: 'w1' } })
      .thenNothingHappened();
    given(...inChunk, event)
      .when({ type: 'StartStage', data: { stage: 'fetch', attempt: 2, worker: 'w1' } })
      .then(started('fetch', 2));
  });

  it('fails the job at once if the failure is permanent, and counts no retry', () => {
    given(requested, started('fetch'))
      .when(fail(false))
      .then(
        {
          type: 'JobStageFailed',
          data: {
            job_id: 'j1',
            stage: 'fetch',
            attempt: 1,
            error_message: 'away',
            error_details: null,
            retryable: false,
            retry_count: 0,
            retry_at: null,
          },
        },
        failed('away'),
      );
  });

  it('fails the job after the last retry', () => {
    const history = [1, 2, 3].flatMap((n) => [started('fetch', n), retried('fetch', n, n)]);
    const decided = jobDecider.decide(
      fail(true, 4),
      given(requested, ...history, started('fetch', 4)).thenState(),
    );
    expect(decided.map((event) => event.type)).toEqual(['JobStageFailed', 'JobFailed']);
  });

  it('is ignored from a stale attempt', () => {
    given(requested, started('fetch'), lost('fetch', 1, 1))
      .when(fail(true))
      .thenNothingHappened();
  });
});

describe('job: advancing and publishing', () => {
  it('passes the output of each stage to the next', () => {
    const artifact = hash('a');
    given(requested, started('fetch'))
      .when({
        type: 'AdvanceStage',
        data: { stage: 'fetch', attempt: 1, artifact, stage_details: {} },
      })
      .then(advanced('fetch', 'parse'));
    expect(given(...indexing.slice(0, 3)).thenState()).toMatchObject({ artifact, stage: 'parse' });
  });

  it('does not advance a stage that no worker started', () => {
    given(requested)
      .when({
        type: 'AdvanceStage',
        data: { stage: 'fetch', attempt: 1, artifact: hash('a'), stage_details: {} },
      })
      .thenNothingHappened();
  });

  it('stages the requested generation', () => {
    given(...indexing)
      .when({ type: 'StageGeneration', data: { attempt: 1, ...staging } })
      .then(staged);
  });

  it('publishes a generation that the index loaded completely', () => {
    given(...indexing, staged)
      .when({ type: 'CompleteJob', data: { loaded_chunk_count: 9 } })
      .then(completed);
    given(...indexing)
      .when({ type: 'CompleteJob', data: { loaded_chunk_count: 9 } })
      .thenNothingHappened();
  });

  it('fails instead of publishing a partly loaded generation', () => {
    given(...indexing, staged)
      .when({ type: 'CompleteJob', data: { loaded_chunk_count: 8 } })
      .then(failed('The index loaded 8 of 9 chunks'));
  });

  it('completes with the base if nothing changed', () => {
    given(requested, started('fetch'))
      .when({
        type: 'CompleteUnchanged',
        data: {
          attempt: 1,
          version_ref: 'new',
          file_count: 3,
          chunk_count: 9,
          stage_details: { files_unchanged: 3 },
        },
      })
      .then({
        type: 'JobCompleted',
        data: {
          job_id: 'j1',
          source_id: 's1',
          generation: 4,
          manifest: base.manifest,
          version_ref: 'new',
          url: 'https://example.com/a.git',
          file_count: 3,
          chunk_count: 9,
          files_processed: 0,
          chunks_created: 0,
          chunks_updated: 0,
          chunks_deleted: 0,
          stage_details: { files_unchanged: 3 },
        },
      });
  });
});

describe('job: the end', () => {
  const cancel = { type: 'CancelJob', data: {} } as const;

  it('can be requested while pending or running', () => {
    given(requested).when(cancel).then(cancelled);
    given(...indexing, staged)
      .when(cancel)
      .then(cancelled);
  });

  it('is not changed by a late cancel', () => {
    given(...terminal.completed)
      .when(cancel)
      .thenRefused('job_finished');
    given(...terminal.failed)
      .when(cancel)
      .thenRefused('job_finished');
    given(...terminal.cancelled)
      .when(cancel)
      .thenNothingHappened();
    given().when(cancel).thenRefused('job_not_found');
  });

  it.each(Object.entries(terminal))('%s is followed by nothing', (_, history) => {
    const state = given(...history).thenState();
    const late = [
      { type: 'StartStage', data: { stage: 'index', attempt: 1, worker: 'w' } },
      { type: 'StageGeneration', data: { attempt: 1, ...staging } },
      { type: 'LoseStage', data: { stage: 'index', attempt: 1 } },
      { type: 'CompleteJob', data: { loaded_chunk_count: 9 } },
      { type: 'FailJob', data: { error_message: 'late', error_details: null } },
    ] as const;
    expect(late.map((command) => jobDecider.decide(command, state))).toEqual(late.map(() => []));
    for (const event of [...indexing, staged, completed, failed('x'), cancelled]) {
      expect(jobDecider.evolve(state, event)).toBe(state);
    }
    expect(isTerminal(state)).toBe(true);
  });

  it('returns the base of the next job', () => {
    expect(baseOf(given(...terminal.completed).thenState())).toEqual({
      generation: 5,
      manifest: hash('c'),
      version_ref: 'new',
    });
    expect(baseOf(given(...terminal.failed).thenState())).toEqual(base);
    expect(baseOf(given(...terminal.cancelled).thenState())).toEqual(base);
    expect(baseOf(given().thenState())).toBeNull();
    expect(nextGeneration(given(...terminal.cancelled).thenState())).toBe(6);
    expect(nextGeneration(given().thenState())).toBe(1);
  });
});
