import { beforeEach, describe, expect, it } from '@jest/globals';

import type { DomainEvent, Position } from '#contracts';
import type { EventStore } from '#event-store';
import { silentLogger } from '#platform';

import { Ledger } from './ledger.js';
import { Supervisor } from './supervisor.js';

const LEASE_MS = 1_000;

describe('supervisor: work that nobody starts', () => {
  let now: number;
  let revision: bigint;
  let ledger: Ledger;
  let supervisor: Supervisor;
  let sent: number[];
  beforeEach(() => {
    now = 0;
    revision = -1n;
    sent = [];
    const clock = { now: () => new Date(0), monotonic: () => now };
    ledger = new Ledger(clock);
    ledger.caughtUp();
    supervisor = new Supervisor({
      store: null as unknown as EventStore,
      clock,
      ledger,
      logger: silentLogger,
      leaseMs: LEASE_MS,
      redispatch: (entry) => {
        sent.push(now);
        ledger.resent(entry);
      },
    });
    see({
      type: 'JobRequested',
      data: {
        job_id: 'j1',
        source_id: 's1',
        generation: 1,
        base: null,
        max_retries: 3,
        url: 'https://example.com/a.git',
        source_revision: 0,
      },
    });
  });

  function see(event: DomainEvent): void {
    revision += 1n;
    ledger.apply({
      ...event,
      id: `e${revision}`,
      stream: 'job-j1',
      revision,
      recordedAt: new Date(0),
      position: String(revision).padStart(19, '0') as Position,
      metadata: {
        tenant_id: 't1',
        actor: { type: 'system', id: 'x' },
        correlation_id: 'c1',
        causation_id: 'c0',
        schema_version: 1,
        occurred_at: '2026-01-01T00:00:00.000Z',
      },
    });
  }

  const start = { job_id: 'j1', stage: 'fetch', attempt: 1 } as const;

  async function inspectUntil(end: number): Promise<void> {
    for (; now < end; now += 100) await supervisor.run();
  }

  it('sends it again after a lease, then after twice as long each time, and no more when it has started', async () => {
    await inspectUntil(7_500);
    expect(sent).toEqual([1_100, 3_200, 7_300]);
    see({ type: 'JobStageStarted', data: { ...start, worker: 'w' } });
    await inspectUntil(8_400);
    expect(sent).toHaveLength(3);
  });

  it('sends it again for as long as it takes, at least every sixteen leases', async () => {
    await inspectUntil(70_000);
    expect(sent.slice(-2)).toEqual([47_600, 63_700]);
  });

  it('counts from zero for the next stage', async () => {
    await inspectUntil(3_500);
    see({ type: 'JobStageStarted', data: { ...start, worker: 'w' } });
    see({
      type: 'JobStageAdvanced',
      data: { ...start, artifact: 'a'.repeat(64), stage_details: {} },
    } as DomainEvent);
    await inspectUntil(4_800);
    expect(sent).toEqual([1_100, 3_200, 4_600]);
  });

  it('counts the lease of a retry from when it is due', async () => {
    see({ type: 'JobStageStarted', data: { ...start, worker: 'w' } });
    const failure = { error_message: 'away', error_details: null, retryable: true, retry_count: 1 };
    see({
      type: 'JobStageFailed',
      data: { ...start, ...failure, retry_at: '2026-01-01T00:00:04.000Z' },
    });
    await inspectUntil(6_500);
    expect(sent).toEqual([5_100]);
  });

  it('does not put back a job that has changed since', () => {
    const before = ledger.jobs.get('j1');
    see({ type: 'JobCancelled', data: { job_id: 'j1', source_id: 's1' } });
    if (before) ledger.resent(before);
    expect(ledger.jobs.size).toBe(0);
  });
});
