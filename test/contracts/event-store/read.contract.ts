import { describe, expect, it } from '@jest/globals';

import {
  freshStream,
  proposed,
  someEvents,
  TENANT_A,
  TENANT_B,
} from '../../support/sample-events.js';
import { collect, revisions } from './observe.js';
import type { StoreContext } from './store-context.js';

const repository = {
  source_type: 'repo' as const,
  url: 'https://example.org/a.git',
  include_patterns: [],
  exclude_patterns: ['**/*.min.js'],
};

/** Reading one stream: directions, limits, and what comes back. */
export function readContract(context: StoreContext): void {
  describe('read', () => {
    it('yields nothing of a stream that does not exist, either way', async () => {
      const stream = freshStream();
      expect(await revisions(context.store.read(stream))).toEqual([]);
      expect(await revisions(context.store.read(stream, { backwards: true }))).toEqual([]);
    });

    it('goes both ways, from any revision, up to any limit', async () => {
      const stream = freshStream();
      await context.store.append(stream, someEvents(5), 'none');
      expect(await revisions(context.store.read(stream))).toEqual([0n, 1n, 2n, 3n, 4n]);
      expect(await revisions(context.store.read(stream, { from: 3n }))).toEqual([3n, 4n]);
      expect(await revisions(context.store.read(stream, { from: 1n, limit: 2 }))).toEqual([1n, 2n]);
      expect(await revisions(context.store.read(stream, { from: 9n }))).toEqual([]);
      expect(await revisions(context.store.read(stream, { limit: 0 }))).toEqual([]);
      expect(await revisions(context.store.read(stream, { backwards: true }))).toEqual([
        4n,
        3n,
        2n,
        1n,
        0n,
      ]);
      expect(await revisions(context.store.read(stream, { backwards: true, limit: 1 }))).toEqual([
        4n,
      ]);
      expect(
        await revisions(context.store.read(stream, { backwards: true, from: 2n, limit: 2 })),
      ).toEqual([2n, 1n]);
    });

    it('goes through long streams', async () => {
      const stream = freshStream();
      for (let from = -1n; from < 1_199n; from += 400n) {
        await context.store.append(stream, someEvents(400), from < 0n ? 'none' : from);
      }
      const forwards = await revisions(context.store.read(stream));
      expect(forwards).toEqual(Array.from({ length: 1_200 }, (_, index) => BigInt(index)));
      expect(await revisions(context.store.read(stream, { backwards: true }))).toEqual(
        forwards.toReversed(),
      );
      expect(
        await revisions(context.store.read(stream, { backwards: true, limit: 700 })),
      ).toHaveLength(700);
    });

    it('returns data, metadata, ids and dates as they were written', async () => {
      const stream = freshStream('source');
      const event = proposed(
        {
          type: 'SourceRegistered',
          data: {
            source_id: 'ünïcode "quoted" \n\u0000\u2028 \ud83d\ude00',
            name: 'x'.repeat(20_000),
            definition: repository,
          },
        },
        {
          tenant_id: TENANT_B,
          actor: { type: 'user', id: 'u1', name: 'Zoë' },
          http: { request_id: 'r', method: 'POST', path: '/sources', ip: '::1' },
          idempotency: { key_hash: 'a', body_hash: 'b' },
        },
      );
      const before = Date.now();
      const { position } = await context.store.append(stream, [event], 'none');
      const [recorded] = await collect(context.store.read(stream));
      expect(recorded).toEqual({
        ...event,
        stream,
        revision: 0n,
        position,
        recordedAt: expect.any(Date) as unknown,
      });
      expect(recorded?.recordedAt.getTime()).toBeGreaterThanOrEqual(before - 1_000);
      expect(recorded?.recordedAt.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
    });

    it('keeps streams and tenants apart', async () => {
      const [mine, theirs] = [freshStream(), freshStream()];
      const event = { type: 'SourceRemoved', data: { source_id: 's' } } as const;
      await context.store.append(mine, [proposed(event, { tenant_id: TENANT_A })], 'none');
      await context.store.append(theirs, [proposed(event, { tenant_id: TENANT_B })], 'none');
      const tenants = (await collect(context.store.read(mine))).map(
        (recorded) => recorded.metadata.tenant_id,
      );
      expect(tenants).toEqual([TENANT_A]);
    });
  });
}
