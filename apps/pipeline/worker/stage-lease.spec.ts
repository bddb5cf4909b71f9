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
  /** Numbers of events of each append. */
  readonly appends: number[] = [];

  override async append(
    ...given: Parameters<EventStore['append']>
  ): ReturnType<EventStore['append']> {
    await this.gate;
    this.appends.push(given[1].length);
    return super.append(...given);
  }
}

async function leaseOf(
  store: GatedStore,
  controller: AbortController,
  { leaseMs = LEASE_MS, clock = systemClock } = {},
): Promise<StageLease> {
  const engines = { store, clock };
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
    leaseMs,
    controller,
  });
}

const typesIn = (store: GatedStore) => store.events.map(({ type }) => type);
const waiting = (store: () => Promise<void>) => ({ mayWait: () => true, store });
const never = waiting(() => Promise.reject(new Error('Nobody needs the output')));

describe('events of a stage that wait for those of the next one', () => {
  /** A lease of half a minute on a clock that stands still until it is moved. */
  async function heldLease() {
    const store = new GatedStore();
    const controller = new AbortController();
    let now = 1_000;
    const clock = { ...systemClock, monotonic: () => now };
    const first = await leaseOf(store, controller, { leaseMs: 30_000, clock });
    store.appends.length = 0;
    const pass = (ms: number) => void (now += ms);
    return { store, controller, first, pass };
  }
  const advance = (stage: 'parse' | 'chunk'): JobCommand => ({
    type: 'AdvanceStage',
    data: { stage, attempt: 1, artifact: 'b'.repeat(64), stage_details: {} },
  });

  it('are appended with the event that leaves the worker, in order', async () => {
    const { store, first } = await heldLease();
    const parse = await first.startNextStage(ADVANCE, 'parse', 'e2', never);
    const chunk = await parse.startNextStage(advance('parse'), 'chunk', 'e3', never);
    expect(chunk.state).toMatchObject({ stage: 'chunk', artifact: 'b'.repeat(64) });
    expect(store.appends).toEqual([]);
    await chunk.write(advance('chunk'));
    await chunk.release();
    expect(store.appends).toEqual([5]);
    expect(typesIn(store).slice(1)).toEqual([
      'JobStageStarted',
      ...['JobStageAdvanced', 'JobStageStarted', 'JobStageAdvanced', 'JobStageStarted'],
      'JobStageAdvanced',
    ]);
    expect(new Set(store.events.map(({ id }) => id)).size).toBe(7);
  });

  it('are appended after half a second, and the output that they name is stored before', async () => {
    const { store, first, pass } = await heldLease();
    let storedAt = -1;
    const storeOutput = () => {
      storedAt = store.appends.length;
      return Promise.resolve();
    };
    const parse = await first.startNextStage(ADVANCE, 'parse', 'e2', waiting(storeOutput));
    pass(500);
    while (store.appends.length === 0) await sleep(10);
    expect([storedAt, store.appends]).toEqual([0, [2]]);
    // A further stage is held again.
    const chunk = await parse.startNextStage(advance('parse'), 'chunk', 'e3', never);
    await chunk.release();
    expect(store.appends).toEqual([2]);
  });

  it('are appended with the next stage once they have waited for long, after its input', async () => {
    const { store, first, pass } = await heldLease();
    const parse = await first.startNextStage(ADVANCE, 'parse', 'e2', never);
    pass(499);
    const chunk = await parse.startNextStage(advance('parse'), 'chunk', 'e3', never);
    await chunk.release();
    expect(store.appends).toEqual([]);
    pass(1);
    const stored: number[] = [];
    const storeOutput = () => Promise.resolve(void stored.push(store.appends.length));
    const output = waiting(storeOutput);
    const embed = await chunk.startNextStage(advance('chunk'), 'embed', 'e4', output);
    await embed.release();
    expect([stored, store.appends]).toEqual([[0], [6]]);
  });

  it('are appended at once where the input of the stage is deleted after them', async () => {
    const { store, first } = await heldLease();
    const parse = await first.startNextStage(ADVANCE, 'parse', 'e2', never);
    const output = { mayWait: () => false, store: () => Promise.resolve() };
    const chunk = await parse.startNextStage(advance('parse'), 'chunk', 'e3', output);
    await chunk.release();
    expect(store.appends).toEqual([4]);
  });

  it('are forgotten when the lease is released, so that the job continues where the log is', async () => {
    const { store, first } = await heldLease();
    const parse = await first.startNextStage(ADVANCE, 'parse', 'e2', never);
    await parse.discardHeld();
    expect(parse.state).toMatchObject({ stage: 'fetch', artifact: null });
    const data = { stage: 'fetch', attempt: 1, released: true } as const;
    await parse.write({ type: 'LoseStage', data });
    await parse.release();
    expect(typesIn(store).slice(1)).toEqual(['JobStageStarted', 'JobStageLost']);
  });

  it('fail their own stage if the log would reject them', async () => {
    const { store, first } = await heldLease();
    const invalid: JobCommand = {
      type: 'AdvanceStage',
      data: { stage: 'fetch', attempt: 1, artifact: 'c'.repeat(64), stage_details: { n: NaN } },
    };
    await expect(first.startNextStage(invalid, 'parse', 'e2', never)).rejects.toThrow(
      'does not fit its schema',
    );
    expect(first.state.stage).toBe('fetch');
    await first.release();
    expect(store.appends).toEqual([]);
  });

  it('end the attempt if another process has written to the job by then', async () => {
    const { store, controller, first, pass } = await heldLease();
    const parse = await first.startNextStage(
      ADVANCE,
      'parse',
      'e2',
      waiting(() => Promise.resolve()),
    );
    const engines = { store, clock: systemClock };
    await commandJob(engines, 'j1', 'cancel', { type: 'CancelJob', data: {} }, CAUSE);
    pass(500);
    while (!controller.signal.aborted) await sleep(10);
    await parse.release();
    expect(typesIn(store).slice(1)).toEqual(['JobStageStarted', 'JobCancelled']);
  });
});

describe('the lease of a stage', () => {
  it('does not end its attempt when a renewal becomes due while the next stage is appended', async () => {
    const store = new GatedStore();
    const controller = new AbortController();
    const lease = await leaseOf(store, controller);
    const gate = Promise.withResolvers<void>();
    store.gate = gate.promise;
    const next = lease.startNextStage(
      ADVANCE,
      'parse',
      'e2',
      waiting(() => Promise.resolve()),
    );
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
