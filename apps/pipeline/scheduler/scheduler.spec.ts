import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { DomainEvent, SourceDefinition } from '#contracts';
import { nextSyncAt } from '#domain';
import { type Clock, silentLogger } from '#platform';
import { foldInto } from '#test/support/fold-into';
import { MemoryEventStore } from '#test/support/memory-event-store';
import { proposed, TENANT_A, TENANT_B } from '#test/support/sample-events';

import { Scheduler, STARTS_PER_RUN } from './scheduler.js';
import { startDueSync } from './start-due-sync.js';

const START = Date.UTC(2026, 0, 1);
const INTERVAL = 600;
/** An interval and the longest delay that a source may have of its own. */
const LONGEST_MS = INTERVAL * 1_100;
const definition: SourceDefinition = {
  source_type: 'repo',
  url: 'https://example.org/a.git',
  branch: 'main',
  include_patterns: [],
  exclude_patterns: [],
};

describe('the scheduler', () => {
  let store: MemoryEventStore;
  let now: number;
  let stop: AbortController;
  /** Goes on while the wall clock steps back. */
  let monotonic: number;
  const clock: Clock = {
    now: () => new Date(now),
    monotonic: () => (monotonic = Math.max(monotonic + 1, now)),
  };
  beforeEach(() => {
    store = new MemoryEventStore();
    now = START;
    monotonic = 0;
    stop = new AbortController();
  });
  afterEach(() => stop.abort());

  function record(stream: `${string}-${string}`, event: DomainEvent, tenant_id = TENANT_A): void {
    store.record(stream, proposed(event, { tenant_id, occurred_at: new Date(now).toISOString() }));
  }
  function register(source_id: string, tenant = TENANT_A, sync_interval_seconds = INTERVAL): void {
    const interval = sync_interval_seconds === 0 ? {} : { sync_interval_seconds };
    record(
      `source-${source_id}`,
      { type: 'SourceRegistered', data: { source_id, name: source_id, definition, ...interval } },
      tenant,
    );
  }
  /** Returns the jobs of a source as `GET /jobs` would show them, oldest first. */
  const jobsOf = (sourceId: string) =>
    store.events.flatMap(({ type, data }) =>
      type === 'JobRequested' && data['source_id'] === sourceId ? [String(data['job_id'])] : [],
    );
  const requestsOf = (sourceId: string) =>
    store.events.filter(
      ({ type, data }) => type === 'SourceSyncRequested' && data['source_id'] === sourceId,
    );
  function end(sourceId: string, type: 'JobFailed' | 'JobCancelled' = 'JobCancelled'): void {
    const job_id = jobsOf(sourceId).at(-1) ?? '';
    const ids = { job_id, source_id: sourceId };
    const event: DomainEvent =
      type === 'JobFailed'
        ? { type, data: { ...ids, error_message: 'away', error_details: null } }
        : { type, data: ids };
    record(`job-${job_id}`, event);
  }
  /** Folds new events, then runs the scheduler. */
  function scheduler(signal = new AbortController().signal): () => Promise<void> {
    const scheduled = new Scheduler({ store, clock, logger: silentLogger, maxRetries: 3 });
    let folded = 0;
    return async () => {
      folded = foldInto(scheduled, store, folded);
      await scheduled.run({ signal });
    };
  }

  it('starts a sync when the interval is over and not before, and the next one an interval after its end', async () => {
    register('s1');
    register('s2', TENANT_B, 0);
    const look = scheduler();
    const due = nextSyncAt({ sourceId: 's1', intervalSeconds: INTERVAL, since: now }) ?? 0;
    now = due - 1;
    await look();
    expect(requestsOf('s1')).toEqual([]);
    now = due;
    await look();
    expect(requestsOf('s1')).toMatchObject([
      { metadata: { tenant_id: TENANT_A, actor: { type: 'system', id: 'scheduler' } } },
    ]);
    expect(jobsOf('s1')).toEqual([requestsOf('s1')[0]?.data['job_id']]);
    now += 10 * LONGEST_MS;
    await look();
    expect(jobsOf('s1')).toHaveLength(1);
    end('s1');
    await look();
    expect(jobsOf('s1')).toHaveLength(1);
    now += LONGEST_MS;
    await look();
    expect(jobsOf('s1')).toHaveLength(2);
    expect(jobsOf('s2')).toEqual([]);
  });

  it.each([3_600_000, 86_400_000])(
    'starts one sync when the clock steps ahead by %d ms, and goes on when it steps back',
    async (step) => {
      register('s1');
      const look = scheduler();
      now += step;
      await look();
      await look();
      expect(jobsOf('s1')).toHaveLength(1);
      end('s1');
      await look();
      now -= step;
      await look();
      expect(jobsOf('s1')).toHaveLength(1);
      now += LONGEST_MS;
      await look();
      expect(jobsOf('s1')).toHaveLength(2);
    },
  );

  it.each(['JobFailed', 'JobCancelled'] as const)(
    'waits a whole interval after %s',
    async (type) => {
      register('s1');
      const look = scheduler();
      now += LONGEST_MS;
      await look();
      now += 1_000;
      end('s1', type);
      now += INTERVAL * 1_000 - 1;
      await look();
      expect(jobsOf('s1')).toHaveLength(1);
      now += LONGEST_MS;
      await look();
      expect(jobsOf('s1')).toHaveLength(2);
    },
  );

  it('makes up once for what was missed while nobody ran', async () => {
    register('s1');
    now += 50 * LONGEST_MS;
    const look = scheduler();
    await look();
    await look();
    expect(jobsOf('s1')).toHaveLength(1);
    end('s1');
    await look();
    expect(jobsOf('s1')).toHaveLength(1);
  });

  it('does not double what another scheduler starts at the same moment', async () => {
    register('s1');
    const looks = [scheduler(), scheduler()];
    now += LONGEST_MS;
    await Promise.all(looks.map((look) => look()));
    expect(requestsOf('s1')).toHaveLength(1);
    expect(jobsOf('s1')).toHaveLength(1);
    // One that had to repeat its append finds what it has written.
    const due = {
      sourceId: 's1',
      tenantId: TENANT_A,
      afterJobId: null,
      dueAt: now,
      queuedBy: null,
    };
    expect(await startDueSync({ store, clock, maxRetries: 3 }, due)).toBe(jobsOf('s1')[0]);
  });

  it('starts nothing where somebody was faster, switched it off or removed the source', async () => {
    const due = (sourceId: string) => ({
      sourceId,
      tenantId: TENANT_A,
      afterJobId: null,
      dueAt: now,
      queuedBy: null,
    });
    for (const id of ['s1', 's2', 's3']) register(id);
    record('source-s1', {
      type: 'SourceSyncRequested',
      data: { source_id: 's1', job_id: 'theirs' },
    });
    record('source-s2', {
      type: 'SourceUpdated',
      data: { source_id: 's2', sync_interval_seconds: 0 },
    });
    record('source-s3', { type: 'SourceRemoved', data: { source_id: 's3' } });
    for (const id of ['s1', 's2', 's3']) {
      expect(await startDueSync({ store, clock, maxRetries: 3 }, due(id))).toBeNull();
    }
    const look = scheduler();
    now += LONGEST_MS;
    await look();
    expect(store.events.filter(({ type }) => type === 'JobRequested')).toEqual([]);
  });

  it('has one more sync follow the one that a push came into, also after a restart', async () => {
    register('s1', TENANT_A, 0);
    record('source-s1', { type: 'SourceSyncRequested', data: { source_id: 's1', job_id: 'j1' } });
    record('job-j1', {
      type: 'JobRequested',
      data: {
        job_id: 'j1',
        source_id: 's1',
        url: definition.url,
        source_revision: 0,
        generation: 1,
        base: null,
        max_retries: 3,
      },
    });
    record('source-s1', {
      type: 'SourceSyncQueued',
      data: { source_id: 's1', after_job_id: 'j1' },
    });
    const before = scheduler();
    await before();
    expect(jobsOf('s1')).toEqual(['j1']);
    end('s1');
    const restarted = scheduler();
    await restarted();
    await before();
    expect(jobsOf('s1')).toHaveLength(2);
    end('s1');
    await restarted();
    expect(jobsOf('s1')).toHaveLength(2);
  });

  it('spreads sources that were set at once, and starts a bounded number per run', async () => {
    const many = Array.from({ length: 3 * STARTS_PER_RUN }, (_, index) => `s${index}`);
    for (const id of many) register(id);
    const times = many.map(
      (sourceId) => (nextSyncAt({ sourceId, intervalSeconds: INTERVAL, since: now }) ?? 0) - now,
    );
    expect(new Set(times).size).toBe(many.length);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(INTERVAL * 1_000);
    expect(Math.max(...times)).toBeLessThanOrEqual(LONGEST_MS);
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(INTERVAL * 50);
    const look = scheduler();
    now += LONGEST_MS;
    await look();
    expect(store.events.filter(({ type }) => type === 'JobRequested')).toHaveLength(STARTS_PER_RUN);
    await look();
    await look();
    expect(store.events.filter(({ type }) => type === 'JobRequested')).toHaveLength(many.length);
  });

  it('starts nothing after its process lost the lead', async () => {
    register('s1');
    const look = scheduler(AbortSignal.abort());
    now += LONGEST_MS;
    await look();
    expect(jobsOf('s1')).toEqual([]);
  });
});
