import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { JobEnded } from '#apps/pipeline/worker/active-runs';
import type { EventStore } from '#event-store';
import { hostileDocuments } from '#test/support/hostile-documents';
import { DEATHS, DyingStore } from '#test/support/research/dying-store';
import { StoredRoverJobs } from '#test/support/research/stored-rover-jobs';

const QUESTION = 'Which buffer size does the reader pass to allocate_ring of the ring library?';
const KINDS = ['understand', 'choose', 'read', 'search', 'follow', 'check', 'write'] as const;

describe('runRoverJob', () => {
  let jobs: StoredRoverJobs;
  let undisturbed: string;

  beforeAll(async () => {
    jobs = await StoredRoverJobs.open();
    undisturbed = await jobs.request(QUESTION);
    await jobs.work(undisturbed);
  });
  afterAll(() => jobs.close());

  const kindsOf = (id: string) => {
    const starts = jobs.eventsOf(id, 'RoverStepStarted');
    return starts.filter(({ attempt }) => attempt === 1).map(({ kind }) => kind);
  };

  it('takes every kind of step', () => {
    expect(new Set(kindsOf(undisturbed))).toEqual(new Set(KINDS));
    expect(jobs.eventsOf(undisturbed, 'RoverJobCompleted')).toHaveLength(1);
  });

  it.each(KINDS)(
    'after three deaths in %s gives the same result to the byte, and ends each step once',
    async (kind) => {
      const id = await jobs.request(QUESTION);
      for (const moment of DEATHS) {
        const store = new DyingStore(jobs.log, kind, moment);
        await expect(jobs.work(id, store)).rejects.toThrow('The process was killed');
      }
      await jobs.work(id);
      expect(await jobs.resultOf(id)).toBe(await jobs.resultOf(undisturbed));
      expect(kindsOf(id)).toEqual(kindsOf(undisturbed));
      const starts = jobs.eventsOf(id, 'RoverStepStarted');
      const attempts = starts
        .filter((each) => each['kind'] === kind)
        .map((each) => each['attempt']);
      expect(attempts.slice(0, DEATHS.length)).toEqual([1, 2, 3]);
      const ends = jobs.eventsOf(id, 'RoverStepCompleted').map(({ step_id }) => step_id);
      expect(new Set(ends).size).toBe(ends.length);
      expect(ends).toHaveLength(kindsOf(id).length);
      expect(jobs.eventsOf(id, 'RoverJobCompleted')).toHaveLength(1);
    },
  );

  it.each(KINDS)('begins nothing more once it is cancelled in %s', async (kind) => {
    const id = await jobs.request(QUESTION);
    const controller = new AbortController();
    let callsAtCancel: typeof jobs.calls | undefined;
    const store = Object.create(jobs.log) as EventStore;
    store.append = async (...given) => {
      const result = await jobs.log.append(...given);
      const starts = given[1].filter(({ type }) => type === 'RoverStepStarted');
      if (!callsAtCancel && starts.some(({ data }) => data['kind'] === kind)) {
        callsAtCancel = { ...jobs.calls };
        controller.abort(new JobEnded());
      }
      return result;
    };
    await jobs.work(id, store, controller);
    expect(callsAtCancel).toEqual(jobs.calls);
    expect(kindsOf(id).at(-1)).toBe(kind);
    expect(jobs.eventsOf(id, 'RoverJobCompleted')).toHaveLength(0);
    expect(jobs.eventsOf(id, 'RoverTokensWritten')).toHaveLength(0);
  });

  it('gives the same result, whatever the descriptions of the repositories say', async () => {
    const attacks = hostileDocuments({
      url: 'http://127.0.0.1:9',
      otherTenant: { id: 'tenant-of-others', path: 'secrets/plan.md' },
    });
    expect(attacks.length).toBeGreaterThanOrEqual(60);
    for (const { content, word } of attacks) {
      jobs.description = content;
      const id = await jobs.request(QUESTION);
      await jobs.work(id);
      expect([word, await jobs.resultOf(id)]).toEqual([word, await jobs.resultOf(undisturbed)]);
      const events = jobs.log.events.filter(({ stream }) => stream === `rover-${id}`);
      expect(JSON.stringify(events.map(({ data }) => data))).not.toContain(word);
    }
    jobs.description = null;
  });

  it('repeats no work whose end is stored', async () => {
    const id = await jobs.request(QUESTION);
    const store = new DyingStore(jobs.log, 'check', 'ended');
    await expect(jobs.work(id, store)).rejects.toThrow('The process was killed');
    const before = { ...jobs.calls };
    await jobs.work(id);
    expect(jobs.calls).toEqual(before);
  });
});
