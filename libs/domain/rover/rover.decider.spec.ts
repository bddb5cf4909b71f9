import { describe, expect, it } from '@jest/globals';

import { NO_ROVER_USAGE, type RoverEvent } from '#contracts';
import { specify } from '#test/support/decider-spec';

import type { CompleteRoverStep, StartRoverStep } from './rover.commands.js';
import { roverDecider, RoverLeaseLost } from './rover.decider.js';

const { given } = specify(roverDecider);
const AT = '2026-05-01T12:00:00.000Z';
const LATER = '2026-05-01T12:00:05.000Z';
const rover_job_id = 'r1';

const requested: RoverEvent = {
  type: 'RoverJobRequested',
  data: {
    rover_job_id,
    question: ['sealed'],
    mode: 'fast',
    repos: ['team/app'],
    budget: {
      seconds: 60,
      rounds: 1,
      repositories: 3,
      searches: 12,
      model_calls: 2,
      prompt_tokens: 50_000,
    },
    consumption_id: 'q1',
    requested_at: AT,
  },
};
const started = (step_id = 's1', attempt = 1, worker = 'w1'): RoverEvent => ({
  type: 'RoverStepStarted',
  data: {
    rover_job_id,
    step_id,
    kind: 'read',
    round: 1,
    ordinal: 0,
    attempt,
    worker,
    started_at: AT,
  },
});
const begun: RoverEvent = {
  type: 'RoverJobStarted',
  data: { rover_job_id, started_at: AT },
};
const start = (step_id = 's1', worker = 'w1'): StartRoverStep => ({
  type: 'StartRoverStep',
  data: { step_id, kind: 'read', round: 1, ordinal: 0, worker, started_at: AT },
});
const outcome = (step_id = 's1', attempt = 1): CompleteRoverStep['data'] => ({
  step_id,
  attempt,
  outcome: 'completed',
  output: { sealed: ['output'] },
  details: { chunks: 12 },
  usage: { ...NO_ROVER_USAGE, searches: 1 },
  completed_at: LATER,
});
const ended = (step_id = 's1', attempt = 1): RoverEvent => ({
  type: 'RoverStepCompleted',
  data: { rover_job_id, ...outcome(step_id, attempt) },
});
const cancelled: RoverEvent = {
  type: 'RoverJobCancelled',
  data: { rover_job_id, cancelled_at: LATER },
};

/** Runs a command that a worker without the lease sends. */
function expectLeaseLost(run: () => unknown): void {
  expect(run).toThrow(RoverLeaseLost);
}

describe('rover job', () => {
  it('is requested once', () => {
    const command = { type: 'RequestRoverJob', data: requested.data } as const;
    given().when(command).then(requested);
    given(requested).when(command).thenNothingHappened();
  });

  it('rejects commands for an unknown job', () => {
    given().when(start()).thenRefused('rover_job_not_found');
  });

  it('has one running step, whose next worker takes the next attempt', () => {
    given(requested).when(start()).then(begun, started());
    given(requested, begun, started())
      .when(start('s1', 'w2'))
      .then(started('s1', 2, 'w2'));
    expectLeaseLost(() => given(requested, begun, started()).when(start('s2')).then());
    expectLeaseLost(() => given(requested, begun, started(), ended()).when(start()).then());
  });

  it('is released by a worker that stops, and counts it as no death', () => {
    const command = { type: 'ReleaseRoverLease', data: { worker: 'w1' } } as const;
    const released: RoverEvent = {
      type: 'RoverLeaseReleased',
      data: { rover_job_id, worker: 'w1' },
    };
    given(requested, begun, started()).when(command).then(released);
    given(requested, begun, started(), ended()).when(command).then(released);
    given(requested).when(command).thenNothingHappened();
    given(requested, begun, started(), released).when(command).thenNothingHappened();
    given(requested, begun, started(), cancelled).when(command).thenNothingHappened();
    const again = [requested, begun, started(), released, started('s1', 2, 'w2')];
    given(...again)
      .when({ ...command, data: { worker: 'w2' } })
      .then({ ...released, data: { rover_job_id, worker: 'w2' } });
    expect(given(...again).thenState()).toMatchObject({ steps: [{ attempt: 2, releases: 1 }] });
  });

  it('ends a step for the attempt that has the lease alone', () => {
    const command = (attempt: number) =>
      ({ type: 'CompleteRoverStep', data: outcome('s1', attempt) }) as const;
    given(requested, begun, started()).when(command(1)).then(ended());
    expectLeaseLost(() =>
      given(requested, begun, started(), started('s1', 2)).when(command(1)).then(),
    );
    expectLeaseLost(() => given(requested, begun, started(), ended()).when(command(1)).then());
    expectLeaseLost(() => given(requested, begun, started(), cancelled).when(command(1)).then());
  });

  it('attaches a repository once', () => {
    const data = {
      step_id: 's1',
      repo: 'team/app',
      commit: 'a'.repeat(40),
      source_id: 'src',
      origin: 'temporary' as const,
    };
    const command = { type: 'AttachRepository', data: { ...data, attempt: 1 } } as const;
    const attached: RoverEvent = {
      type: 'RoverRepositoryAttached',
      data: { rover_job_id, ...data },
    };
    given(requested, begun, started()).when(command).then(attached);
    given(requested, begun, started(), attached).when(command).thenNothingHappened();
  });

  it('stores each part of the tokens once, in order', () => {
    const write = (part: number) =>
      ({
        type: 'WriteRoverTokens',
        data: { step_id: 's1', attempt: 1, part, sealed: `part ${part}` },
      }) as const;
    const written = (part: number): RoverEvent => ({
      type: 'RoverTokensWritten',
      data: { rover_job_id, part, sealed: `part ${part}` },
    });
    given(requested, begun, started()).when(write(0)).then(written(0));
    given(requested, begun, started(), written(0)).when(write(0)).thenNothingHappened();
    given(requested, begun, started(), written(0)).when(write(1)).then(written(1));
    expect(() => given(requested, begun, started()).when(write(1)).then()).toThrow(
      'follows 0 parts',
    );
  });

  it('ends with its last step and the whole answer in one append', () => {
    given(requested, begun, started())
      .when({
        type: 'CompleteRoverJob',
        data: { step: outcome(), answer: ['one', 'two'], completed_at: LATER },
      })
      .then(
        ended(),
        { type: 'RoverAnswerContinued', data: { rover_job_id, part: 1, sealed: 'two' } },
        {
          type: 'RoverJobCompleted',
          data: { rover_job_id, answer: 'one', answer_parts: 1, completed_at: LATER },
        },
      );
  });

  it('is cancelled while it is open; again it changes nothing', () => {
    const cancel = { type: 'CancelRoverJob', data: { cancelled_at: LATER } } as const;
    const failed: RoverEvent = {
      type: 'RoverJobFailed',
      data: { rover_job_id, error_message: 'No repository could be read', failed_at: LATER },
    };
    given(requested).when(cancel).then(cancelled);
    given(requested, begun, started()).when(cancel).then(cancelled);
    given(requested, cancelled).when(cancel).thenNothingHappened();
    given(requested, failed).when(cancel).thenRefused('rover_job_finished');
  });

  it('shows steps by their newest attempt, and the sum of their usage', () => {
    const state = given(
      requested,
      begun,
      started(),
      started('s1', 2, 'w2'),
      ended('s1', 2),
      started('s2'),
      ended('s2'),
      cancelled,
      started('s3'),
    ).thenState();
    expect(state).toMatchObject({
      status: 'cancelled',
      usage: { searches: 2 },
      steps: [
        { step_id: 's1', attempt: 2, worker: 'w2', status: 'completed', details: { chunks: 12 } },
        { step_id: 's2', attempt: 1, status: 'completed' },
      ],
    });
  });
});
