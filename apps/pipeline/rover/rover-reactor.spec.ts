import { describe, expect, it } from '@jest/globals';

import type { DomainEvent } from '#contracts';
import type { RecordedDomainEvent } from '#event-store';
import { silentLogger, systemClock } from '#platform';
import { MemoryEventStore } from '#test/support/memory-event-store';

import { ActiveRuns } from '../worker/active-runs.js';
import { RoverReactor } from './rover-reactor.js';

const rover_job_id = 'r1';
const AT = '2026-05-01T12:00:00.000Z';
const REQUESTED: DomainEvent = {
  type: 'RoverJobRequested',
  data: {
    rover_job_id,
    question: ['sealed'],
    mode: 'fast',
    repos: [],
    budget: {
      seconds: 60,
      rounds: 1,
      repositories: 3,
      searches: 12,
      model_calls: 2,
      prompt_tokens: 1,
    },
    requested_at: AT,
  },
};
const STARTED: DomainEvent = {
  type: 'RoverStepStarted',
  data: {
    rover_job_id,
    step_id: 's1',
    kind: 'read',
    round: 0,
    ordinal: 0,
    attempt: 1,
    worker: 'w1',
    started_at: AT,
  },
};
const RELEASED: DomainEvent = { type: 'RoverLeaseReleased', data: { rover_job_id, worker: 'w1' } };

/**
 * Returns a reactor of one of several processes, and the jobs that it took.
 * @param end resolves when the work on a job ends. Default: at once.
 */
function open(places = 4, end: (id: string) => Promise<void> = () => Promise.resolve()) {
  const taken: string[] = [];
  const reactor = new RoverReactor({
    store: new MemoryEventStore(),
    clock: systemClock,
    logger: silentLogger,
    runs: new ActiveRuns(),
    work: ({ roverJobId }) => {
      taken.push(roverJobId);
      return end(roverJobId);
    },
    places,
    leaseMs: 60_000,
    soleProcess: false,
  });
  const apply = (event: DomainEvent, tenant_id = 't') => {
    const metadata = { tenant_id, correlation_id: 'c', occurred_at: AT };
    return reactor.apply({ ...event, id: 'e', metadata } as unknown as RecordedDomainEvent);
  };
  return { reactor, taken, apply };
}

describe('RoverReactor in one of several processes', () => {
  it('leaves a job whose worker may be alive', async () => {
    const { reactor, taken, apply } = open();
    for (const event of [REQUESTED, STARTED]) apply(event);
    reactor.caughtUp();
    await reactor.run();
    expect(taken).toEqual([]);
  });

  it('takes a job at once whose worker released its lease', async () => {
    const { reactor, taken, apply } = open();
    for (const event of [REQUESTED, STARTED]) apply(event);
    reactor.caughtUp();
    expect(apply(RELEASED)).toBe(true);
    await reactor.run();
    expect(taken).toEqual([rover_job_id]);
  });

  it('leaves it again after another worker took it', async () => {
    const { reactor, taken, apply } = open();
    for (const event of [REQUESTED, STARTED, RELEASED, STARTED]) apply(event);
    reactor.caughtUp();
    await reactor.run();
    expect(taken).toEqual([]);
  });
});

describe('RoverReactor with jobs of three tenants', () => {
  /** A job named after its tenant. */
  const requested = (id: string): DomainEvent => ({
    ...REQUESTED,
    data: { ...(REQUESTED.data as object), rover_job_id: id } as never,
  });
  const cancelled = (id: string): DomainEvent => ({
    type: 'RoverJobCancelled',
    data: { rover_job_id: id, cancelled_at: AT },
  });

  it('takes the next job when a place is free, in turn by tenant', async () => {
    const ends = new Map<string, () => void>();
    const { reactor, taken, apply } = open(2, (id) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(id, resolve);
      return promise;
    });
    for (const id of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'c2']) apply(requested(id), id[0]);
    reactor.caughtUp();
    await reactor.run();
    expect(taken).toEqual(['a1', 'b1']);
    for (let next = 0; next < 5; next += 1) {
      const id = taken[next] ?? '';
      apply(cancelled(id), id[0]);
      ends.get(id)?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3']);
  });

  it('leaves a job alone for a while after work on it, because its end may not have arrived', async () => {
    const { reactor, taken, apply } = open();
    apply(requested('a1'));
    reactor.caughtUp();
    await reactor.run();
    await new Promise((resolve) => setImmediate(resolve));
    await reactor.run();
    expect(taken).toEqual(['a1']);
  });
});
