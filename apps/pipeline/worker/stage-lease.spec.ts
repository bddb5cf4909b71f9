import { describe, expect, it } from '@jest/globals';

import { isOpen, type JobCommand } from '#domain';
import type { EventStore } from '#event-store';
import { silentLogger, sleep, systemClock } from '#platform';
import { MemoryEventStore } from '#test/support/memory-event-store';

import { commandJob } from '../log/commands.js';
import { StageLease } from './stage-lease.js';

const LEASE_MS = 60;
const CAUSE = { tenantId: 't1', correlationId: 'c1', causationId: 'm1' };
const REQUEST: JobCommand = {
  type: 'RequestJob',
  data: {
    job_id: 'j1',
    source_id: 's1',
    url: 'https://example.com/a.git',
    source_revision: 0,
    generation: 1,
    base: null,
    max_retries: 3,
  },
};
const START: JobCommand = {
  type: 'StartStage',
  data: { stage: 'fetch', attempt: 1, worker: 'w1' },
};
const ADVANCE: JobCommand = {
  type: 'AdvanceStage',
  data: { stage: 'fetch', attempt: 1, artifact: 'a'.repeat(64), stage_details: {} },
};

/** A log whose appends wait for a gate while one is set. */
class GatedStore extends MemoryEventStore {
  gate: Promise<unknown> = Promise.resolve();

  override async append(
    ...given: Parameters<EventStore['append']>
  ): ReturnType<EventStore['append']> {
    await this.gate;
    return super.append(...given);
  }
}

async function leaseOf(store: GatedStore, controller: AbortController): Promise<StageLease> {
  const engines = { store, clock: systemClock };
  await commandJob(engines, 'j1', 'request', REQUEST, CAUSE);
  const { state: job, revision } = await commandJob(engines, 'j1', 'start', START, CAUSE);
  if (!isOpen(job) || revision === 'none') throw new Error('The job is not open');
  return new StageLease({
    ...engines,
    logger: silentLogger,
    stage: 'fetch',
    job,
    revision,
    executionId: 'e1',
    cause: CAUSE,
    leaseMs: LEASE_MS,
    controller,
  });
}

describe('the lease of a stage', () => {
  it('does not end its attempt when a renewal becomes due while the next stage is appended', async () => {
    const store = new GatedStore();
    const controller = new AbortController();
    const lease = await leaseOf(store, controller);
    const gate = Promise.withResolvers<void>();
    store.gate = gate.promise;
    const next = lease.startNextStage(ADVANCE, 'parse', 'e2');
    await sleep(LEASE_MS * 2);
    gate.resolve();
    const following = await next;
    await sleep(LEASE_MS);
    await following.release();
    expect(controller.signal.reason).toBeUndefined();
    expect(store.events.map(({ type }) => type).slice(0, 4)).toEqual([
      'JobRequested',
      'JobStageStarted',
      'JobStageAdvanced',
      'JobStageStarted',
    ]);
    expect(store.events.slice(4).map(({ type }) => type)).toContain('JobProgressed');
  });

  it('ends its attempt when another process has written to the job', async () => {
    const store = new GatedStore();
    const controller = new AbortController();
    const lease = await leaseOf(store, controller);
    await commandJob(
      { store, clock: systemClock },
      'j1',
      'cancel',
      { type: 'CancelJob', data: {} },
      CAUSE,
    );
    while (!controller.signal.aborted) await sleep(5);
    await lease.release();
    expect(String(controller.signal.reason)).toMatch('Another process has written to the job');
  });
});
