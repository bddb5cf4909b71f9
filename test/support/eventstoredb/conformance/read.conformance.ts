import {
  BACKWARDS,
  END,
  FORWARDS,
  type ReadAllOptions,
  type ReadStreamOptions,
  START,
} from '@eventstore/db-client';
import { beforeAll, describe, expect, it } from '@jest/globals';

import { events, fresh, type Witness } from './witness.js';

const FAR = { commit: 10n ** 15n, prepare: 10n ** 15n };

/** Reads of a stream and of the whole log. */
export function readConformance(witness: () => Witness): void {
  describe('a read of a stream', () => {
    const stream = fresh();
    const read = (options: ReadStreamOptions, of = stream) =>
      witness().reads(() => witness().client.readStream(of, options));

    beforeAll(() => witness().append(stream, events(5), 'no_stream'));

    it('that is not there says so', async () => {
      expect(await read({ direction: FORWARDS, fromRevision: START }, fresh())).toEqual([
        'stream-not-found',
      ]);
    });

    it('includes the revision that it begins at', async () => {
      expect(await read({ direction: FORWARDS, fromRevision: 1n, maxCount: 2 })).toEqual([
        'Plain 1',
        'Plain 2',
      ]);
      expect(await read({ direction: BACKWARDS, fromRevision: END, maxCount: 2 })).toEqual([
        'Plain 4',
        'Plain 3',
      ]);
    });

    it('from past the end gives nothing forwards, and everything backwards', async () => {
      expect(await read({ direction: FORWARDS, fromRevision: 99n })).toEqual([]);
      expect(await read({ direction: BACKWARDS, fromRevision: 99n, maxCount: 2 })).toEqual([
        'Plain 4',
        'Plain 3',
      ]);
    });

    it('that is kept short gives what is kept', async () => {
      const short = fresh();
      await witness().append(short, events(5), 'no_stream');
      await witness().client.setStreamMetadata(short, { maxCount: 2 });
      expect(await read({ direction: FORWARDS, fromRevision: START }, short)).toEqual([
        'Plain 3',
        'Plain 4',
      ]);
      expect(await read({ direction: BACKWARDS, fromRevision: END, maxCount: 1 }, short)).toEqual([
        'Plain 4',
      ]);
    });
  });

  describe('a read of the whole log', () => {
    const read = (options: ReadAllOptions) =>
      witness().reads(() => witness().client.readAll(options));

    beforeAll(async () => {
      await witness().append(fresh(), events(2, 'Before'), 'no_stream');
      await witness().append(fresh(), events(2, 'Here'), 'no_stream', 'second of two');
    });

    it('begins at a position forwards and before it backwards', async () => {
      const fromPosition = witness().at('second of two');
      expect(await read({ direction: FORWARDS, fromPosition, maxCount: 1 })).toEqual(['Here 1']);
      expect(await read({ direction: BACKWARDS, fromPosition, maxCount: 2 })).toEqual([
        'Here 0',
        'Before 1',
      ]);
    });

    it('from a position that is no event fails', async () => {
      await witness().append(fresh(), events(1), 'no_stream');
      const fromPosition = witness().at('second of two', 1n);
      expect(await read({ direction: FORWARDS, fromPosition, maxCount: 1 })).toEqual(['unknown']);
    });

    it('from far past the end gives nothing forwards, and fails backwards', async () => {
      expect(await read({ direction: FORWARDS, fromPosition: FAR, maxCount: 1 })).toEqual([]);
      expect(await read({ direction: BACKWARDS, fromPosition: FAR, maxCount: 1 })).toEqual([
        'unknown',
      ]);
    });
  });
}
