import { beforeEach, describe, expect, it } from '@jest/globals';

import type { DomainEvent, Position, SourceDefinition, StreamName } from '#contracts';

import { Ledger } from './ledger.js';

const definition: SourceDefinition = {
  source_type: 'repo',
  url: 'https://example.com/a.git',
  include_patterns: [],
  exclude_patterns: [],
};
const manifest = 'a'.repeat(64);

describe('ledger', () => {
  let ledger: Ledger;
  let now: number;
  let wall: string;
  let count: number;
  beforeEach(() => {
    now = 1_000;
    wall = '1970-01-01T00:00:00.000Z';
    count = 0;
    ledger = new Ledger({ now: () => new Date(wall), monotonic: () => now });
  });

  function see(stream: StreamName, event: DomainEvent): void {
    count += 1;
    ledger.apply({
      ...event,
      id: `e${count}`,
      stream,
      revision: BigInt(count),
      position: String(count).padStart(19, '0') as Position,
      recordedAt: new Date(0),
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

  const register = () =>
    see('source-s1', {
      type: 'SourceRegistered',
      data: { source_id: 's1', name: 'A', definition },
    });
  const accept = (job_id: string) =>
    see('source-s1', { type: 'SourceSyncRequested', data: { source_id: 's1', job_id } });
  const request = (job_id: string, generation: number) =>
    see(`job-${job_id}`, {
      type: 'JobRequested',
      data: {
        job_id,
        source_id: 's1',
        url: definition.url,
        source_revision: 0,
        generation,
        base: null,
        max_retries: 3,
      },
    });
  const stage = (job_id: string, generation: number) =>
    see(`job-${job_id}`, {
      type: 'JobStaged',
      data: {
        job_id,
        source_id: 's1',
        attempt: 1,
        generation,
        manifest,
        version_ref: 'v',
        file_count: 1,
        chunk_count: 1,
        stage_details: {},
      },
    });
  const cancel = (job_id: string) =>
    see(`job-${job_id}`, { type: 'JobCancelled', data: { job_id, source_id: 's1' } });
  const remove = () => see('source-s1', { type: 'SourceRemoved', data: { source_id: 's1' } });

  it('notices a job that its source names and that was never opened', () => {
    register();
    accept('j1');
    expect(ledger.sources.get('s1')).toMatchObject({ lastJobId: 'j1', lastJobSeen: false });
    request('j1', 1);
    expect(ledger.sources.get('s1')).toMatchObject({ lastJobSeen: true });
  });

  it('keeps a job for as long as it is open, with what caused its newest event', () => {
    register();
    accept('j1');
    request('j1', 1);
    expect(ledger.jobs.get('j1')).toMatchObject({
      revision: 3n,
      cause: { tenantId: 't1', correlationId: 'c1', causationId: 'e3' },
    });
    cancel('j1');
    expect(ledger.jobs.size).toBe(0);
  });

  it('takes a newer revision for a renewal of the lease, an older one not', () => {
    request('j1', 1);
    now = 5_000;
    ledger.renewed('j1', 1n);
    expect(ledger.jobs.get('j1')?.seenAt).toBe(1_000);
    ledger.renewed('j1', 2n);
    expect(ledger.jobs.get('j1')).toMatchObject({ seenAt: 5_000, revision: 2n });
    ledger.renewed('j9', 2n);
    expect(ledger.jobs.has('j9')).toBe(false);
  });

  /** An attempt fails at 00:00 by its worker's clock and is tried again four seconds later. */
  const fail = (job_id: string) =>
    see(`job-${job_id}`, {
      type: 'JobStageFailed',
      data: {
        job_id,
        stage: 'fetch',
        attempt: 1,
        retryable: true,
        retry_count: 1,
        error_message: 'away',
        error_details: null,
        retry_at: '2026-01-01T00:00:04.000Z',
      },
    });

  it.each(['2025-12-31T20:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-01-01T04:00:00.000Z'])(
    'takes the wait of a retry from the clock of its worker alone, at %s by the own',
    (own) => {
      wall = own;
      ledger.caughtUp();
      request('j1', 1);
      expect(ledger.jobs.get('j1')?.dueAt).toBe(1_000);
      fail('j1');
      expect(ledger.jobs.get('j1')?.dueAt).toBe(5_000);
    },
  );

  it.each([
    ['2026-01-01T00:00:03.000Z', 2_000],
    ['2026-01-01T04:00:00.000Z', 1_000],
    ['2025-12-31T20:00:00.000Z', 5_000],
  ])(
    'lets a retry of history wait for what is left of its wait at %s, never longer than it',
    (own, dueAt) => {
      wall = own;
      request('j1', 1);
      fail('j1');
      expect(ledger.jobs.get('j1')?.dueAt).toBe(dueAt);
    },
  );

  it('changes nothing when its newest event comes again', () => {
    register();
    accept('j1');
    request('j1', 1);
    const start = { job_id: 'j1', stage: 'fetch' as const, attempt: 1 };
    see('job-j1', { type: 'JobStageStarted', data: { ...start, worker: 'w' } });
    const lose = () =>
      see('job-j1', { type: 'JobStageLost', data: { ...start, retry_count: 1, deaths: 1 } });
    lose();
    count -= 1;
    lose();
    expect(ledger.jobs.get('j1')?.job).toMatchObject({ attempt: 2, retry_count: 1 });
  });

  it('remembers what was staged by a job that was cancelled, until it is dropped', () => {
    register();
    accept('j1');
    request('j1', 1);
    stage('j1', 1);
    cancel('j1');
    expect(ledger.sources.get('s1')?.generations).toEqual([
      { generation: 1, jobId: 'j1', manifest, state: 'cancelled' },
    ]);
    see('generation-s1', {
      type: 'GenerationDropped',
      data: { source_id: 's1', generation: 1, reason: 'cancelled' },
    });
    expect(ledger.sources.get('s1')?.generations).toEqual([]);
  });

  it('forgets the tables of a SCIP index that was removed', () => {
    register();
    const upload = (name: string) => {
      const counts = { bytes: 10, documents: 1, occurrences: 1, symbols: 1 };
      const scip = { name, blob: manifest, version_ref: 'v', generation: 1, ...counts };
      see('source-s1', { type: 'SourceScipUploaded', data: { source_id: 's1', scip } });
    };
    upload('ts');
    upload('py');
    see('source-s1', { type: 'SourceScipRemoved', data: { source_id: 's1', names: ['ts'] } });
    expect(ledger.sources.get('s1')?.scip).toMatchObject([{ name: 'py' }]);
    see('source-s1', { type: 'SourceScipRemoved', data: { source_id: 's1', names: ['py'] } });
    expect(ledger.sources.get('s1')?.scip).toEqual([]);
  });

  it('forgets a removed source once its job has ended and nothing of it is left', () => {
    register();
    accept('j1');
    request('j1', 1);
    remove();
    expect(ledger.sources.has('s1')).toBe(true);
    cancel('j1');
    expect(ledger.sources.has('s1')).toBe(false);
  });
});
