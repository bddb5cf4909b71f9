import { beforeEach, describe, expect, it } from '@jest/globals';

import { type DomainEvent, packageDefinition, PUBLIC_TENANT } from '#contracts';
import { type Clock, silentLogger } from '#platform';
import { foldInto } from '#test/support/fold-into';
import { MemoryEventStore } from '#test/support/memory-event-store';
import { proposed } from '#test/support/sample-events';

import { PackageRetention } from './package-retention.js';

const START = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const release = { ecosystem: 'npm', name: 'react', version: '19.0.0' } as const;

describe('package retention', () => {
  let store: MemoryEventStore;
  let now: number;
  let retention: PackageRetention;
  const run = () => retention.run({ signal: new AbortController().signal });
  const clock: Clock = { now: () => new Date(now), monotonic: () => now };

  function record(stream: `${string}-${string}`, event: DomainEvent): void {
    const occurred_at = new Date(now).toISOString();
    store.record(stream, proposed(event, { tenant_id: PUBLIC_TENANT, occurred_at }));
  }
  const types = () => store.events.map(({ type }) => type);

  beforeEach(() => {
    store = new MemoryEventStore();
    now = START;
    retention = new PackageRetention({
      store,
      clock,
      logger: silentLogger,
      bounds: { chunks: 1, days: 30 },
    });
    const about = { description: null, homepage: null, license: null, notices: [] };
    record('package-p1', {
      type: 'PackageRegistered',
      data: { package_id: 'p1', source_id: 's1', ...release, ...about },
    });
    record('source-s1', {
      type: 'SourceRegistered',
      data: { source_id: 's1', name: 'NPM: react', definition: packageDefinition(release) },
    });
  });

  it('drops a package and removes its source, once', async () => {
    foldInto(retention, store);
    await run();
    expect(types()).not.toContain('PackageDropped');
    now += 30 * DAY;
    await run();
    await run();
    expect(store.events.slice(2)).toMatchObject([
      { type: 'PackageDropped', stream: 'package-p1', data: { source_id: 's1', reason: 'unused' } },
      { type: 'SourceRemoved', stream: 'source-s1', metadata: { tenant_id: PUBLIC_TENANT } },
    ]);
  });

  it('keeps a package that was used or linked since it was folded', async () => {
    foldInto(retention, store);
    now += 30 * DAY;
    record('package-p1', {
      type: 'PackageUsed',
      data: { package_id: 'p1', used_at: new Date(now).toISOString() },
    });
    await run();
    expect(types()).not.toContain('PackageDropped');
  });

  it('removes the source if the process that dropped the package could not', async () => {
    record('package-p1', {
      type: 'PackageDropped',
      data: { package_id: 'p1', source_id: 's1', reason: 'room' },
    });
    foldInto(retention, store);
    await run();
    await run();
    expect(types().slice(3)).toEqual(['SourceRemoved']);
  });
});
