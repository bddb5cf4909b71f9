import { describe, expect, it } from '@jest/globals';

import type { DomainEvent } from '#contracts';
import { upcast } from '#event-store';
import { MemoryEventStore } from '#test/support/memory-event-store';
import { proposed } from '#test/support/sample-events';

import { PackageCache, type PackageCacheBounds } from './package-cache.js';

const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const DAY = 86_400_000;
const BOUNDS: PackageCacheBounds = { chunks: 100, days: 30 };
const about = { description: null, homepage: null, license: null, notices: [] };

describe('the package cache', () => {
  /** A cache that follows what happens, each event so many milliseconds after the start. */
  function cache() {
    const store = new MemoryEventStore();
    const kept = new PackageCache();
    let reported = 0;
    const happens = (after: number, stream: `${string}-${string}`, event: DomainEvent) => {
      const occurred_at = new Date(START + after).toISOString();
      store.record(stream, proposed(event, { tenant_id: 'public', occurred_at }));
      for (const recorded of store.events.slice(reported)) {
        const read = upcast(recorded);
        if (read.kind === 'known') kept.apply(read.event);
      }
      reported = store.events.length;
    };
    const completed = (after: number, source_id: string, chunk_count: number) => {
      const counters = {
        files_processed: 1,
        chunks_created: chunk_count,
        chunks_updated: 0,
        chunks_deleted: 0,
      };
      const about = {
        job_id: `j-${source_id}`,
        source_id,
        generation: 1,
        manifest: 'a'.repeat(64),
        version_ref: '1',
      };
      happens(after, `job-j-${source_id}`, {
        type: 'JobCompleted',
        data: { ...about, url: 'pkg:npm/x@1', file_count: 1, chunk_count, ...counters },
      });
    };
    const indexed = (after: number, id: string, chunks: number) => {
      const release = { ecosystem: 'npm', name: id, version: '1' };
      happens(after, `package-${id}`, {
        type: 'PackageRegistered',
        data: { package_id: id, source_id: `s-${id}`, ...release, ...about },
      });
      const data = { source_id: `s-${id}`, job_id: `j-s-${id}` };
      happens(after, `source-s-${id}`, { type: 'SourceSyncRequested', data });
      completed(after, `s-${id}`, chunks);
    };
    const used = (after: number, package_id: string) => {
      const used_at = new Date(START + after).toISOString();
      happens(after, `package-${package_id}`, {
        type: 'PackageUsed',
        data: { package_id, used_at },
      });
    };
    const link = (
      after: number,
      id: string,
      type: 'PackageLinked' | 'PackageUnlinked',
      tenant = 'a',
    ) => {
      const which = { link_id: `l-${tenant}-${id}`, package_id: id, episode: 1 };
      const release = { owner_tenant_id: 'public', ecosystem: 'npm', name: id, version: '1' };
      const event: DomainEvent =
        type === 'PackageLinked' ? { type, data: { ...which, ...release } } : { type, data: which };
      happens(after, `packagelink-${which.link_id}`, event);
    };
    const due = (after: number, bounds = BOUNDS) =>
      kept.due(START + after, bounds).map(({ packageId, reason }) => [packageId, reason]);
    return { kept, happens, indexed, completed, used, link, due };
  }

  it('drops the least recently used when all of them are too much, and no more than that', () => {
    const { indexed, used, due } = cache();
    for (const [at, id] of ['a', 'b', 'c'].entries()) indexed(at * MINUTE, id, 40);
    expect(due(10 * MINUTE)).toEqual([['a', 'room']]);
    used(5 * MINUTE, 'a');
    expect(due(10 * MINUTE)).toEqual([['b', 'room']]);
    expect(due(10 * MINUTE, { chunks: 120, days: 30 })).toEqual([]);
    expect(due(10 * MINUTE, { chunks: 0, days: 30 })).toEqual([
      ['b', 'room'],
      ['c', 'room'],
      ['a', 'room'],
    ]);
  });

  it('drops what was not used for long, however little there is', () => {
    const { indexed, used, due } = cache();
    indexed(0, 'a', 1);
    indexed(0, 'b', 1);
    used(DAY, 'b');
    expect(due(30 * DAY - 1)).toEqual([]);
    expect(due(30 * DAY)).toEqual([['a', 'unused']]);
  });

  it('keeps what somebody links, counts it not, and lets it go with the last link', () => {
    const { indexed, link, due } = cache();
    link(0, 'a', 'PackageLinked');
    indexed(0, 'a', 1_000);
    indexed(0, 'b', 100);
    link(0, 'a', 'PackageLinked', 'b');
    expect(due(365 * DAY, { chunks: 100, days: 3_650 })).toEqual([]);
    link(MINUTE, 'a', 'PackageUnlinked');
    expect(due(365 * DAY, { chunks: 100, days: 3_650 })).toEqual([]);
    link(MINUTE, 'a', 'PackageUnlinked', 'b');
    expect(due(365 * DAY, { chunks: 100, days: 3_650 })).toEqual([['a', 'room']]);
  });

  it('leaves alone what is being indexed, and what was published a moment ago', () => {
    const { happens, indexed, completed, due } = cache();
    indexed(0, 'a', 500);
    expect(due(MINUTE - 1)).toEqual([]);
    expect(due(MINUTE)).toEqual([['a', 'room']]);
    happens(MINUTE, 'source-s-a', {
      type: 'SourceSyncRequested',
      data: { source_id: 's-a', job_id: 'j2' },
    });
    expect(due(365 * DAY)).toEqual([]);
    completed(2 * MINUTE, 's-a', 500);
    expect(due(2 * MINUTE)).toEqual([['a', 'room']]);
  });

  it('knows which removals are missing, and on what a drop is decided', () => {
    const { kept, happens, indexed } = cache();
    indexed(0, 'a', 500);
    happens(1, 'package-a', { type: 'PackageDescribed', data: { package_id: 'a', ...about } });
    expect(kept.due(START + DAY, BOUNDS)).toMatchObject([
      { packageId: 'a', sourceId: 's-a', revision: 1n },
    ]);
    const data = { package_id: 'a', source_id: 's-a', reason: 'room' as const };
    happens(2, 'package-a', { type: 'PackageDropped', data });
    expect(kept.due(START + DAY, BOUNDS)).toEqual([]);
    expect([...kept.removals]).toEqual([['s-a', 'public']]);
    happens(3, 'source-s-a', { type: 'SourceRemoved', data: { source_id: 's-a' } });
    expect([...kept.removals]).toEqual([]);
  });
});
