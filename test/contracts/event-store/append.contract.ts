import { describe, expect, it } from '@jest/globals';

import type { ProposedEvent } from '#contracts';
import { type ExpectedRevision, isInvalidEvent, isWrongExpectedRevision } from '#event-store';

import { freshStream, sampleMetadata, someEvents } from '../../support/sample-events.js';
import { refusal, revisions } from './observe.js';
import type { StoreContext } from './store-context.js';

/** Expectations, conflicts, and appends that are all or nothing. */
export function appendContract(context: StoreContext): void {
  describe('append', () => {
    it('counts revisions from 0 and returns the last one with its position', async () => {
      const stream = freshStream();
      const first = await context.store.append(stream, someEvents(2), 'none');
      const second = await context.store.append(stream, someEvents(1), first.revision);
      expect([first.revision, second.revision]).toEqual([1n, 2n]);
      expect(second.position > first.position).toBe(true);
      expect(await context.store.head()).toBe(second.position);
    });

    it.each<[string, ExpectedRevision]>([
      ['none', 'none'],
      ['an exact revision', 0n],
      ['a revision ahead of the stream', 7n],
    ])('refuses %s when the stream is elsewhere, and says where', async (_, expected) => {
      const stream = freshStream();
      await context.store.append(stream, someEvents(3), 'none');
      const error = await refusal(context.store.append(stream, someEvents(1), expected));
      expect(isWrongExpectedRevision(error)).toBe(true);
      expect(error).toMatchObject({ stream, expected, actual: 2n });
      expect(await revisions(context.store.read(stream))).toEqual([0n, 1n, 2n]);
    });

    it.each<ExpectedRevision>(['exists', 0n])(
      'refuses %s on a stream without events',
      async (expected) => {
        const stream = freshStream();
        const error = await refusal(context.store.append(stream, someEvents(1), expected));
        expect(isWrongExpectedRevision(error)).toBe(true);
        expect(error).toMatchObject({ actual: 'none' });
      },
    );

    it('takes "any" on a stream with and without events, and "exists" on one with', async () => {
      const stream = freshStream();
      await context.store.append(stream, someEvents(1), 'any');
      await context.store.append(stream, someEvents(1), 'any');
      await context.store.append(stream, someEvents(1), 'exists');
      expect(await revisions(context.store.read(stream))).toEqual([0n, 1n, 2n]);
    });

    it('lets exactly one of many with the same expectation win', async () => {
      const stream = freshStream();
      await context.store.append(stream, someEvents(1), 'none');
      const attempts = Array.from({ length: 20 }, () =>
        context.store.append(stream, someEvents(2), 0n),
      );
      const outcomes = await Promise.allSettled(attempts);
      const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(lost).toHaveLength(19);
      expect(lost.every((outcome) => isWrongExpectedRevision(outcome.reason))).toBe(true);
      expect(await revisions(context.store.read(stream))).toEqual([0n, 1n, 2n]);
    });

    it('succeeds while simultaneous appends to other streams conflict', async () => {
      const taken = freshStream();
      await context.store.append(taken, someEvents(1), 'none');
      const streams = Array.from({ length: 20 }, () => freshStream());
      const outcomes = await Promise.allSettled(
        streams.flatMap((stream) => [
          context.store.append(taken, someEvents(1), 'none'),
          context.store.append(stream, someEvents(1), 'none'),
        ]),
      );
      expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(20);
      expect(await revisions(context.store.read(taken))).toEqual([0n]);
    });

    it('stores all events of an append or none', async () => {
      const stream = freshStream();
      const [good] = someEvents(1);
      const bad = { ...someEvents(1)[0], data: { source_id: 1 } } as unknown as ProposedEvent;
      expect(
        isInvalidEvent(
          await refusal(context.store.append(stream, [good as ProposedEvent, bad], 'none')),
        ),
      ).toBe(true);
      expect(await revisions(context.store.read(stream))).toEqual([]);
    });

    it('rejects undeclared types, old schema versions, invalid ids, and appends without events', async () => {
      const stream = freshStream();
      const [event] = someEvents(1);
      const base = event as ProposedEvent;
      for (const wrong of [
        { ...base, type: 'NobodyDeclaredThis' },
        { ...base, id: 'one' },
        { ...base, metadata: sampleMetadata(base.type, { schema_version: 99 }) },
      ]) {
        expect(isInvalidEvent(await refusal(context.store.append(stream, [wrong], 'none')))).toBe(
          true,
        );
      }
      expect(
        isInvalidEvent(await refusal(context.store.append(stream, [base, base], 'none'))),
      ).toBe(true);
      expect(await refusal(context.store.append(stream, [], 'none'))).toBeInstanceOf(RangeError);
      expect(await refusal(context.store.append('nodash' as never, [base], 'none'))).toBeInstanceOf(
        RangeError,
      );
      expect(await refusal(context.store.append(stream, [base], -1n))).toBeInstanceOf(RangeError);
      expect(await revisions(context.store.read(stream))).toEqual([]);
    });
  });
}
