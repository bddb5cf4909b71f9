import { describe, expect, it } from '@jest/globals';

import type { DomainEvent } from '#contracts';
import type { RecordedDomainEvent } from '#event-store';

import { ResearchShelf } from './research-shelf.js';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-05-10T12:00:00.000Z');

/** A shelf after events, each with its age in days. */
function shelfOf(...events: readonly (readonly [days: number, event: DomainEvent])[]) {
  const shelf = new ResearchShelf();
  for (const [days, event] of events) {
    const occurred_at = new Date(NOW - days * DAY_MS).toISOString();
    const metadata = { tenant_id: 't', occurred_at };
    shelf.apply({ ...event, metadata } as unknown as RecordedDomainEvent);
  }
  return shelf;
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
const due = (shelf: ResearchShelf, chunks = 100) =>
  shelf.due(NOW, { chunks, days: 7 }).map(({ sourceId }) => sourceId);

describe('temporary sources', () => {
  it('are due when no job used them for the configured days', () => {
    const shelf = shelfOf(
      [9, registered('old')],
      [9, completed('old', 10)],
      [9, registered('used')],
      [9, completed('used', 10)],
      [6, attached('used', 'r1')],
      [6, cancelled('r1')],
      [9, registered('own', false)],
      [9, completed('own', 10)],
    );
    expect(due(shelf)).toEqual(['old']);
  });

  it('are due by size, the least recently used first', () => {
    const shelf = shelfOf(
      [3, registered('a')],
      [3, completed('a', 60)],
      [2, registered('b')],
      [2, completed('b', 60)],
      [1, registered('c')],
      [1, completed('c', 30)],
    );
    expect(due(shelf)).toEqual(['a']);
    expect(due(shelf, 40)).toEqual(['a', 'b']);
    expect(due(shelf, 150)).toEqual([]);
  });

  it('stay while an open job or a sync uses them', () => {
    const shelf = shelfOf(
      [9, registered('attached')],
      [9, attached('attached', 'r1')],
      [9, registered('busy')],
      [9, { type: 'SourceSyncRequested', data: { source_id: 'busy', job_id: 'j' } }],
    );
    expect(due(shelf)).toEqual([]);
    shelf.apply({
      ...cancelled('r1'),
      metadata: { occurred_at: '2026-05-10T12:00:00.000Z' },
    } as unknown as RecordedDomainEvent);
    expect(due(shelf)).toEqual(['attached']);
  });

  it('are the same after a snapshot', () => {
    const shelf = shelfOf([9, registered('a')], [9, attached('a', 'r1')], [9, registered('b')]);
    const restored = new ResearchShelf();
    for (const line of shelf.save()) restored.load(structuredClone(line));
    expect(due(restored)).toEqual(['b']);
  });
});
