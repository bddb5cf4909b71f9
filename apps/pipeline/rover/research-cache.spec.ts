import { describe, expect, it } from '@jest/globals';

import type { DomainEvent } from '#contracts';
import type { RecordedDomainEvent } from '#event-store';

import { ResearchCache } from './research-cache.js';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-05-10T12:00:00.000Z');

/** A cache after events, each with its age in days. */
function cacheOf(...events: readonly (readonly [days: number, event: DomainEvent])[]) {
  const cache = new ResearchCache();
  for (const [days, event] of events) {
    const occurred_at = new Date(NOW - days * DAY_MS).toISOString();
    const metadata = { tenant_id: 't', occurred_at };
    cache.apply({ ...event, metadata } as unknown as RecordedDomainEvent);
  }
  return cache;
}

const registered = (source_id: string, isTemporary = true): DomainEvent => ({
  type: 'SourceRegistered',
  data: {
    source_id,
    name: 'team/app',
    definition: { source_type: 'repo', url: 'u', include_patterns: [], exclude_patterns: [] },
    ...(isTemporary && {
      audience: { kind: 'research' as const, repository: 'team/app', commit: 'c' },
    }),
  },
});
const completed = (source_id: string, chunk_count: number): DomainEvent =>
  ({ type: 'JobCompleted', data: { source_id, chunk_count } }) as DomainEvent;
const attached = (source_id: string, rover_job_id: string): DomainEvent =>
  ({ type: 'RoverRepositoryAttached', data: { source_id, rover_job_id } }) as DomainEvent;
const cancelled = (rover_job_id: string): DomainEvent => ({
  type: 'RoverJobCancelled',
  data: { rover_job_id, cancelled_at: '2026-05-10T12:00:00.000Z' },
});
const due = (cache: ResearchCache, chunks = 100) =>
  cache.due(NOW, { chunks, days: 7 }).map(({ sourceId }) => sourceId);

describe('temporary sources', () => {
  it('are due when no job used them for the configured days', () => {
    const cache = cacheOf(
      [9, registered('old')],
      [9, completed('old', 10)],
      [9, registered('used')],
      [9, completed('used', 10)],
      [6, attached('used', 'r1')],
      [6, cancelled('r1')],
      [9, registered('own', false)],
      [9, completed('own', 10)],
    );
    expect(due(cache)).toEqual(['old']);
  });

  it('are due by size, the least recently used first', () => {
    const cache = cacheOf(
      [3, registered('a')],
      [3, completed('a', 60)],
      [2, registered('b')],
      [2, completed('b', 60)],
      [1, registered('c')],
      [1, completed('c', 30)],
    );
    expect(due(cache)).toEqual(['a']);
    expect(due(cache, 40)).toEqual(['a', 'b']);
    expect(due(cache, 150)).toEqual([]);
  });

  it('stay while an open job or a sync uses them', () => {
    const cache = cacheOf(
      [9, registered('attached')],
      [9, attached('attached', 'r1')],
      [9, registered('busy')],
      [9, { type: 'SourceSyncRequested', data: { source_id: 'busy', job_id: 'j' } }],
    );
    expect(due(cache)).toEqual([]);
    cache.apply({
      ...cancelled('r1'),
      metadata: { occurred_at: '2026-05-10T12:00:00.000Z' },
    } as unknown as RecordedDomainEvent);
    expect(due(cache)).toEqual(['attached']);
  });

  it('are the same after a snapshot', () => {
    const cache = cacheOf([9, registered('a')], [9, attached('a', 'r1')], [9, registered('b')]);
    const restored = new ResearchCache();
    for (const line of cache.save()) restored.load(structuredClone(line));
    expect(due(restored)).toEqual(['b']);
  });
});
