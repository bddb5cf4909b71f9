import { beforeAll, describe, expect, it } from '@jest/globals';

import { event, events, fresh, type Witness } from './witness.js';

/** Expectations, repeats, deletions and the largest append. */
export function appendConformance(witness: () => Witness): void {
  const append: Witness['append'] = (...words) => witness().append(...words);

  describe('append', () => {
    it('counts revisions, and a conflict names what is expected and what is', async () => {
      const stream = fresh();
      expect(await append(stream, events(2), 'no_stream')).toBe('revision 1');
      expect(await append(stream, event(), 'no_stream')).toBe(
        'wrong-expected-version no_stream, is 1',
      );
      expect(await append(stream, event(), 0n)).toBe('wrong-expected-version 0, is 1');
      expect(await append(stream, event(), 5n)).toBe('wrong-expected-version 5, is 1');
      expect(await append(stream, event(), 1n)).toBe('revision 2');
      expect(await append(stream, event(), 'any')).toBe('revision 3');
      expect(await append(stream, event(), 'stream_exists')).toBe('revision 4');
    });

    it('of a stream that is not there is a conflict unless that is expected', async () => {
      const stream = fresh();
      expect(await append(stream, event(), 'stream_exists')).toBe(
        'wrong-expected-version stream_exists, is no_stream',
      );
      expect(await append(stream, event(), 0n)).toBe('wrong-expected-version 0, is no_stream');
      expect(await append(stream, event(), 'any')).toBe('revision 0');
    });

    it('takes a MiB of data and no more', async () => {
      expect(await append(fresh(), event('Large', { text: 'x'.repeat(1_000_000) }))).toBe(
        'revision 0',
      );
      expect(await append(fresh(), event('Large', { text: 'x'.repeat(1_100_000) }))).toBe(
        'maximum-append-size-exceeded',
      );
      const several = Array.from({ length: 11 }, () =>
        event('Large', { text: 'x'.repeat(100_000) }),
      );
      expect(await append(fresh(), several)).toBe('maximum-append-size-exceeded');
      expect(await append(fresh(), event('Large', { text: 'x'.repeat(20_000_000) }))).toBe(
        'unknown',
      );
      expect(await append(fresh(), event())).toBe('revision 0');
    });
  });

  describe('an append that is repeated', () => {
    const stream = fresh();
    const [first, second] = [events(2), events(2)];

    beforeAll(async () => {
      await append(stream, first, 'no_stream');
      await append(stream, second, 1n);
    });

    it.each(['no_stream', 'any'] as const)('is the first again, expecting %s', async (expected) => {
      expect(await append(stream, first, expected)).toBe('revision 1');
    });

    it.each(['any', 'stream_exists', 1n] as const)(
      'is the second again, expecting %s',
      async (expected) => {
        expect(await append(stream, second, expected)).toBe('revision 3');
      },
    );

    it('in part is that part, where it stands', async () => {
      expect(await append(stream, second.slice(0, 1), 1n)).toBe('revision 2');
      expect(await append(stream, second.slice(1), 2n)).toBe('revision 3');
    });

    it('and goes on differently is a conflict', async () => {
      expect(await append(stream, [...second, event()], 1n)).toBe('wrong-expected-version 1, is 3');
      expect(await append(stream, [...second.slice(0, 1), event()], 1n)).toBe(
        'wrong-expected-version 1, is 3',
      );
    });

    it('at the end of the stream, or in another one, is new', async () => {
      expect(await append(stream, first.slice(0, 1), 3n)).toBe('revision 4');
      expect(await append(fresh(), first, 'no_stream')).toBe('revision 1');
    });

    it('before it is committed is dropped, and given up on after 2 s', async () => {
      const [target, twins] = [fresh(), events(2)];
      const begun = performance.now();
      const reported = await Promise.all([1, 2, 3].map(() => append(target, twins, 'no_stream')));
      const took = performance.now() - begun;
      expect(reported).toContain('revision 1');
      expect(
        reported.filter((outcome) => !['revision 1', 'deadline-exceeded'].includes(outcome)),
      ).toEqual([]);
      // On a fast server a repeat may arrive when the first is committed.
      expect(took > 1_500).toBe(reported.includes('deadline-exceeded'));
      expect(await append(target, twins, 'no_stream')).toBe('revision 1');
    });
  });

  describe('a deletion', () => {
    it('of a stream that never was is a conflict', async () => {
      const missing = await witness().does(() => witness().client.deleteStream(fresh()));
      expect(missing).toBe('wrong-expected-version -2, is -1');
    });

    it('leaves the revisions: an append that expects no stream goes on with them', async () => {
      const stream = fresh();
      await append(stream, events(2), 'no_stream');
      expect(await witness().does(() => witness().client.deleteStream(stream))).toBe('done');
      const read = () => witness().reads(() => witness().client.readStream(stream));
      expect(await read()).toEqual(['stream-not-found']);
      expect(await append(stream, event(), 'no_stream')).toBe('revision 2');
      expect(await append(stream, event(), 1n)).toBe('wrong-expected-version 1, is 2');
      expect(await read()).toEqual(['Plain 2']);
    });

    it('for ever refuses reads and appends', async () => {
      const stream = fresh();
      await append(stream, events(2), 'no_stream');
      expect(await witness().does(() => witness().client.tombstoneStream(stream))).toBe('done');
      expect(await witness().reads(() => witness().client.readStream(stream))).toEqual([
        'stream-deleted',
      ]);
      expect(await append(stream, event(), 'no_stream')).toBe('stream-deleted');
      expect(await append(stream, event(), 'any')).toBe('stream-deleted');
    });
  });
}
