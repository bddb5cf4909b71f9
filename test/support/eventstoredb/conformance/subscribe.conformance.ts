import { END, excludeSystemEvents, START, streamNameFilter } from '@eventstore/db-client';
import { beforeAll, describe, expect, it } from '@jest/globals';

import type { CheckpointMode } from '../subscription.js';
import { event, events, fresh, onlyType, PAGING, type Witness } from './witness.js';

const FAR = { commit: 10n ** 15n, prepare: 10n ** 15n };

/**
 * Checks a new log before all other operations: the messages of a subscription that has not found
 * anything yet.
 */
export function emptyLogConformance(witness: () => Witness, checkpoints: CheckpointMode): void {
  describe('a subscription from the start of a log in which nothing matches', () => {
    /**
     * Older servers name the largest number; newer ones where the page began, at the very start.
     */
    const end = { 'up-to-24.10.4': 'checkpoint nowhere', 'from-24.10.5': 'checkpoint elsewhere' }[
      checkpoints
    ];

    it('receives the end of its history, and then new events', async () => {
      const type = fresh('T-');
      const reported = await witness().follows({
        from: START,
        filter: onlyType(type),
        then: () => witness().append(fresh(), event(type), 'no_stream', 'first match'),
      });
      expect(reported).toEqual(['confirmed', end, 'caught-up', '--', `${type} first match`]);
    });
  });
}

/** Checks the positions of checkpoints in a history, and live. */
export function subscribeConformance(witness: () => Witness, checkpoints: CheckpointMode): void {
  const isOlder = checkpoints === 'up-to-24.10.4';
  const follows: Witness['follows'] = (options) => witness().follows(options);
  /** Appends events that no filter here accepts, a hundred at once; each hundredth has a name. */
  const hundreds = async (count: number, name: string): Promise<void> => {
    const stream = fresh();
    for (let n = 1; n <= count; n += 1)
      await witness().append(stream, events(100), 'any', `${name} ${n * 100}`);
  };

  describe('the history of a subscription', () => {
    const type = fresh('T-');

    beforeAll(async () => {
      await witness().append(fresh(), event(type), 'no_stream', 'one');
      await hundreds(25, 'between');
      await witness().append(fresh(), event(type), 'no_stream', 'two');
      await witness().append(fresh(), event(), 'no_stream', 'last');
    });

    it('has a checkpoint each second page, which names where that page began, and one at its end', async () => {
      expect(await follows({ from: witness().at('one'), filter: onlyType(type) })).toEqual([
        'confirmed',
        'checkpoint between 500',
        'checkpoint between 1500',
        `${type} two`,
        'checkpoint two',
        'caught-up',
      ]);
    });

    it('ends with the event that passed last, never with the head', async () => {
      const seldom = fresh('T-');
      await witness().append(fresh(), event(seldom), 'no_stream', 'seldom');
      await hundreds(3, 'after seldom');
      const reported = await follows({ from: witness().at('last'), filter: onlyType(seldom) });
      expect(reported).toEqual(['confirmed', `${seldom} seldom`, 'checkpoint seldom', 'caught-up']);
    });

    it('in which nothing passes ends with the place that it began at', async () => {
      const from = witness().at('between 2500');
      expect(await follows({ from, filter: onlyType(fresh('T-')) })).toEqual([
        'confirmed',
        'checkpoint between 2500',
        'caught-up',
      ]);
    });

    it('of a log of more than two pages has no checkpoint of its end in addition to theirs, unless the server is newer', async () => {
      const reported = await follows({ from: witness().at('one'), filter: onlyType(fresh('T-')) });
      const atEnd = isOlder ? [] : ['checkpoint between 2500'];
      const pages = ['checkpoint between 500', 'checkpoint between 1500'];
      expect(reported.slice(0, 3)).toEqual(['confirmed', ...pages]);
      expect(reported.slice(3)).toEqual([...atEnd, 'caught-up']);
    });

    it.each(['no filter', 'a filter'])(
      'is empty from the end on, without a checkpoint: %s',
      async (which) => {
        const last = fresh();
        await witness().append(last, event(), 'no_stream', 'very last');
        const filter = which === 'a filter' && { filter: onlyType(type) };
        for (const from of [END, witness().at('very last'), FAR] as const) {
          expect(await follows({ from, ...filter })).toEqual(['confirmed', 'caught-up']);
        }
      },
    );

    it('cannot begin where no event does', async () => {
      expect(await follows({ from: witness().at('one', 1n), filter: onlyType(type) })).toEqual([
        'confirmed',
        'unknown',
      ]);
    });
  });

  describe('a live subscription', () => {
    it('without a filter receives events only', async () => {
      const append = () => witness().append(fresh(), event('Live'), 'no_stream', 'live');
      expect(await follows({ from: END, then: append })).toEqual([
        'confirmed',
        'caught-up',
        '--',
        'Live live',
      ]);
    });

    it('has a checkpoint each thousandth event', async () => {
      const filter = onlyType(fresh('T-'));
      expect(await follows({ from: END, filter, then: () => hundreds(25, 'live') })).toEqual([
        ...['confirmed', 'caught-up', '--'],
        ...['checkpoint live 1000', 'checkpoint live 2000'],
      ]);
    });

    it('counts events that pass as well', async () => {
      const type = fresh('T-');
      const reported = await follows({
        from: END,
        filter: onlyType(type),
        then: async () => {
          await hundreds(9, 'earlier');
          await witness().append(fresh(), event(type), 'no_stream', 'match');
          await witness().append(fresh(), events(98));
          for (let n = 1; n <= 3; n += 1)
            await witness().append(fresh(), event(), 'no_stream', `later ${n}`);
        },
      });
      expect(reported).toEqual([
        'confirmed',
        'caught-up',
        '--',
        `${type} match`,
        'checkpoint later 1',
      ]);
    });

    it('by stream prefix, or without the database’s own events, receives the other events', async () => {
      const prefix = fresh('p');
      const byPrefix = await follows({
        from: END,
        filter: (checkpointReached) =>
          streamNameFilter({ ...PAGING, prefixes: [prefix], checkpointReached }),
        then: async () => {
          await witness().append(`${prefix}-1`, event('Kept'), 'no_stream', 'kept');
          await witness().append(fresh(), event('Left'), 'no_stream');
        },
      });
      expect(byPrefix).toEqual(['confirmed', 'caught-up', '--', 'Kept kept']);
      const own = await follows({
        from: END,
        filter: (checkpointReached) => excludeSystemEvents({ ...PAGING, checkpointReached }),
        then: async () => {
          await witness().client.setStreamMetadata(`${prefix}-1`, { maxCount: 7 });
          await witness().append(`${prefix}-1`, event('Kept'), 'any', 'kept again');
        },
      });
      expect(own).toEqual(['confirmed', 'caught-up', '--', 'Kept kept again']);
    });
  });
}
