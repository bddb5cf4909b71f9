import { describe, expect, it } from '@jest/globals';

import type { DomainEvent } from '#contracts';
import type { RecordedDomainEvent } from '#event-store';
import { loadConfig } from '#platform';

import { TenantChunks } from './tenant-chunks.js';

function chunksUnder(total: number, metric = 'chunks'): TenantChunks {
  const QUOTA_PLANS = JSON.stringify({ standard: { [metric]: { total } } });
  const store = {
    async *read() {
      // No tenant was given a plan.
    },
  };
  return new TenantChunks({ store, config: loadConfig({ QUOTA_PLANS }, '/') });
}

function registered(
  source_id: string,
  upload?: { blob: string; file_name: string; bytes: number },
): RecordedDomainEvent {
  const definition = {
    source_type: 'repo' as const,
    url: 'u',
    include_patterns: [],
    exclude_patterns: [],
    ...(upload && { upload }),
  };
  const event: DomainEvent = {
    type: 'SourceRegistered',
    data: { source_id, name: source_id, definition },
  };
  return { ...event, metadata: { tenant_id: 't' } } as unknown as RecordedDomainEvent;
}

describe('the chunks of a tenant', () => {
  it('have room for one of two generations that come at once, though the log has neither yet', async () => {
    const chunks = chunksUnder(10);
    for (const source of ['a', 'b', 'c']) chunks.apply(registered(source));
    const published: string[] = [];
    const refused: string[] = [];
    const publish = (sourceId: string, count: number) =>
      chunks.publish(
        { tenantId: 't', sourceId, chunks: count },
        async () => {
          await new Promise((resolve) => setImmediate(resolve));
          return published.push(sourceId) > 0;
        },
        async (reason) => void refused.push(reason),
      );
    await Promise.all([publish('a', 6), publish('b', 6), publish('c', 4)]);
    expect(published).toEqual(['a', 'c']);
    expect(refused).toEqual([
      'The plan standard allows 10 chunks in all; other sources have 6, and this sync would publish 6',
    ]);
    await publish('a', 6);
    await publish('a', 7);
    expect([published, refused.length]).toEqual([['a', 'c', 'a'], 2]);
  });

  it('do not count a generation that was not published after all, nor one of a removed source', async () => {
    const chunks = chunksUnder(10);
    for (const source of ['a', 'b']) chunks.apply(registered(source));
    const coming = { tenantId: 't', sourceId: 'a', chunks: 10 };
    const refuse = () => Promise.reject(new Error('It was refused'));
    await chunks.publish(coming, async () => false, refuse);
    await chunks.publish({ ...coming, sourceId: 'gone' }, async () => true, refuse);
    await chunks.publish({ ...coming, sourceId: 'b' }, async () => true, refuse);
  });

  it('have as many bytes as the plan allows and not one more, uploaded files among them', async () => {
    const chunks = chunksUnder(100, 'bytes');
    chunks.apply(registered('a'));
    chunks.apply(registered('b', { blob: 'b', file_name: 'b.pdf', bytes: 30 }));
    const outcomes: string[] = [];
    const publish = (sourceId: string, bytes?: number) =>
      chunks.publish(
        { tenantId: 't', sourceId, chunks: 1, bytes },
        async () => outcomes.push(`${sourceId} published`) > 0,
        async (reason) => void outcomes.push(reason),
      );
    await publish('b', 10);
    await publish('a', 61);
    await publish('a', 60);
    // An unmeasured value stays as it was before.
    await publish('a');
    await publish('b', 11);
    chunks.apply({ ...registered('b'), type: 'SourceRemoved' } as RecordedDomainEvent);
    await publish('a', 100);
    expect(outcomes).toEqual([
      'b published',
      'The plan standard allows 100 bytes in all; other sources have 40, and this sync would publish 61',
      'a published',
      'a published',
      'The plan standard allows 100 bytes in all; other sources have 60, and this sync would publish 41',
      'a published',
    ]);
  });
});
