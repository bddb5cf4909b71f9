import { describe, expect, it } from '@jest/globals';

import type { ProposedEvent } from '#contracts';
import {
  type ExpectedRevision,
  isCorruptedIdempotency,
  isWrongExpectedRevision,
} from '#event-store';

import { freshStream, someEvents } from '../../support/sample-events.js';
import { refusal, revisions } from './observe.js';
import type { StoreContext } from './store-context.js';

/** An append that is repeated, rightly or wrongly. */
export function idempotenceContract(context: StoreContext): void {
  describe('a repeated append', () => {
    it('succeeds with the first result when its ids stand right after "none"', async () => {
      const stream = freshStream();
      const events = someEvents(2);
      const first = await context.store.append(stream, events, 'none');
      await context.store.append(stream, someEvents(3), first.revision);
      expect(await context.store.append(stream, events, 'none')).toEqual(first);
      expect(await revisions(context.store.read(stream))).toHaveLength(5);
    });

    it('succeeds with the first result when its ids stand right after the exact revision', async () => {
      const stream = freshStream();
      await context.store.append(stream, someEvents(1), 'none');
      const events = someEvents(2);
      const first = await context.store.append(stream, events, 0n);
      await context.store.append(stream, someEvents(1), first.revision);
      expect(await context.store.append(stream, events, 0n)).toEqual(first);
    });

    it('succeeds when both arrive at the same moment', async () => {
      const stream = freshStream();
      const events = someEvents(2);
      const results = await Promise.all(
        [1, 2, 3].map(() => context.store.append(stream, events, 'none')),
      );
      expect(new Set(results.map((result) => result.position)).size).toBe(1);
      expect(await revisions(context.store.read(stream))).toEqual([0n, 1n]);
    });

    it('is recognized across a restart, where the adapter can restart', async () => {
      const stream = freshStream();
      const events = someEvents(2);
      const first = await context.store.append(stream, events, 'none');
      await context.reopen();
      expect(await context.store.append(stream, events, 'none')).toEqual(first);
    });

    it.each<ExpectedRevision>(['any', 'exists'])(
      'is recognized with "%s" while it is fresh',
      async (expected) => {
        const stream = freshStream();
        await context.store.append(stream, someEvents(1), 'none');
        const events = someEvents(2);
        const first = await context.store.append(stream, events, expected);
        expect(await context.store.append(stream, events, expected)).toEqual(first);
        expect(await revisions(context.store.read(stream))).toHaveLength(3);
      },
    );

    it('is a conflict when its ids stand elsewhere in the stream', async () => {
      const stream = freshStream();
      const events = someEvents(1);
      await context.store.append(stream, someEvents(1), 'none');
      await context.store.append(stream, events, 0n);
      expect(
        isWrongExpectedRevision(await refusal(context.store.append(stream, events, 'none'))),
      ).toBe(true);
    });

    it('is corrupted when it goes on differently, or further than what is stored', async () => {
      const stream = freshStream();
      const events = someEvents(2);
      await context.store.append(stream, events, 'none');
      const other = [events[0] as ProposedEvent, ...someEvents(1)];
      const longer = [...events, ...someEvents(1)];
      expect(
        isCorruptedIdempotency(await refusal(context.store.append(stream, other, 'none'))),
      ).toBe(true);
      expect(
        isCorruptedIdempotency(await refusal(context.store.append(stream, longer, 'none'))),
      ).toBe(true);
      expect(await revisions(context.store.read(stream))).toEqual([0n, 1n]);
    });

    it('is a new append in another stream', async () => {
      const events = someEvents(1);
      const [one, other] = [freshStream(), freshStream()];
      await context.store.append(one, events, 'none');
      await context.store.append(other, events, 'none');
      expect(await revisions(context.store.read(other))).toEqual([0n]);
    });
  });
}
