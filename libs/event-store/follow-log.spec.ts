import { describe, expect, it } from '@jest/globals';

import type { Position, RecordedEvent } from '#contracts';

import type { EventStore, SubscribeOptions, SubscriptionDelivery } from './event-store.port.js';
import { followLog, type FollowLogOptions, oneByOne, oneByOneAhead } from './follow-log.js';

const at = (position: number): Position => String(position).padStart(20, '0') as Position;
const event = (position: number): SubscriptionDelivery => ({
  kind: 'event',
  event: { position: at(position) } as RecordedEvent,
});
const checkpoint = (position: number): SubscriptionDelivery => ({
  kind: 'checkpoint',
  position: at(position),
});
const LOST = new Error('the log is unavailable');

/**
 * A log whose subscriptions deliver one script each and then break; the last one stays silent until
 * its end.
 */
function scripted(...scripts: SubscriptionDelivery[][]) {
  const asked: SubscribeOptions[] = [];
  const store: Pick<EventStore, 'subscribe'> = {
    async *subscribe(options) {
      asked.push(options);
      yield* scripts.shift() ?? [];
      if (scripts.length > 0) throw LOST;
      const { signal } = options;
      if (!signal.aborted)
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  };
  return { store, asked };
}

describe('followLog', () => {
  const stopping = () => new AbortController();
  const options = (
    given: Partial<FollowLogOptions> & Pick<FollowLogOptions, 'store' | 'signal'>,
  ): FollowLogOptions => ({
    from: (reached) => reached ?? 'start',
    take: oneByOne(() => undefined),
    backOff: { firstMs: 1, longestMs: 8 },
    onFailure: () => undefined,
    ...given,
  });

  it('lets a taker see the next delivery at once, takes it in its turn, and waits for nothing that is missing', async () => {
    const stop = stopping();
    const { store } = scripted([event(1), event(2), event(3)]);
    const seen: (SubscriptionDelivery | undefined)[] = [];
    const take = oneByOneAhead(async (delivery, ahead) => {
      seen.push(delivery);
      if (seen.length === 2) return;
      seen.push(await ahead(), await ahead());
      if (seen.length > 4) stop.abort();
    });
    await followLog(options({ store, signal: stop.signal, take }));
    expect(seen).toEqual([
      event(1),
      event(2),
      event(2),
      event(2),
      event(3),
      event(3),
      event(3),
      undefined,
      undefined,
    ]);
  });

  it('ends with a failing taker while the next delivery is still awaited', async () => {
    const stop = stopping();
    const { store, asked } = scripted([event(1)], [event(1)]);
    const failures: unknown[] = [];
    const take = oneByOneAhead(async (_, ahead) => {
      await ahead();
      throw new Error('not this one');
    });
    const onFailure = (error: unknown) => {
      failures.push(error);
      if (failures.length === 2) stop.abort();
    };
    await followLog(options({ store, signal: stop.signal, take, onFailure }));
    expect(failures).toEqual([new Error('not this one'), new Error('not this one')]);
    expect(asked).toHaveLength(2);
  });

  it('continues after the last taken delivery when the log was lost, and requests nothing twice', async () => {
    const stop = stopping();
    const { store, asked } = scripted([event(1), event(2)], [checkpoint(7)], [event(9)]);
    const seen: SubscriptionDelivery[] = [];
    const take = oneByOne((delivery) => {
      seen.push(delivery);
      if (seen.length === 4) stop.abort();
    });
    const filter = { types: ['SourceRemoved'] };
    await followLog(options({ store, filter, signal: stop.signal, take }));
    expect(seen).toEqual([event(1), event(2), checkpoint(7), event(9)]);
    expect(asked.map(({ after }) => after)).toEqual(['start', at(2), at(7)]);
    expect(asked.every((each) => each.filter === filter)).toBe(true);
  });

  it('repeats a delivery that could not be processed before it begins another', async () => {
    const stop = stopping();
    const { store, asked } = scripted([event(1), event(2), event(3)], [event(2), event(3)]);
    const dealt: unknown[] = [];
    let failed = false;
    const take = oneByOne(async (delivery) => {
      await Promise.resolve();
      if (delivery.kind === 'event' && delivery.event.position === at(2) && !failed) {
        failed = true;
        throw new Error('not now');
      }
      dealt.push(delivery);
      if (dealt.length === 3) stop.abort();
    });
    const failures: unknown[] = [];
    const onFailure = (error: unknown) => void failures.push((error as Error).message);
    await followLog(options({ store, signal: stop.signal, take, onFailure }));
    expect(dealt).toEqual([event(1), event(2), event(3)]);
    expect(asked.map(({ after }) => after)).toEqual(['start', at(1)]);
    expect(failures).toEqual(['not now']);
  });

  it('waits longer after each failure, and starts over once something was taken', async () => {
    const stop = stopping();
    const { store } = scripted([], [], [], [{ kind: 'caught-up' }], [], []);
    const waits: number[] = [];
    const onFailure = (error: unknown, retryInMs: number) => {
      expect(error).toBe(LOST);
      waits.push(retryInMs);
      if (waits.length === 5) stop.abort();
    };
    await followLog(
      options({ store, signal: stop.signal, onFailure, backOff: { firstMs: 1, longestMs: 3 } }),
    );
    expect(waits).toEqual([1, 2, 3, 1, 2]);
  });

  it('retries to find its start after a failure', async () => {
    const stop = stopping();
    const { store, asked } = scripted([event(6)]);
    let tries = 0;
    const from = async () => {
      tries += 1;
      if (tries < 3) throw new Error('the read model is unavailable');
      return at(5);
    };
    await followLog(
      options({ store, signal: stop.signal, from, take: oneByOne(() => stop.abort()) }),
    );
    expect([tries, asked.length, asked[0]?.after]).toEqual([3, 1, at(5)]);
  });

  it('ends without an error on an abort: before, in a pause, while it waits for events', async () => {
    const { store, asked } = scripted([event(1)]);
    await followLog(options({ store, signal: AbortSignal.abort() }));
    expect(asked).toEqual([]);

    const pausing = stopping();
    const backOff = { firstMs: 60_000, longestMs: 60_000 };
    const onFailure = () => void setImmediate(() => pausing.abort());
    await followLog(
      options({ store: scripted([], []).store, signal: pausing.signal, backOff, onFailure }),
    );

    const waiting = stopping();
    setTimeout(() => waiting.abort(), 5);
    await followLog(options({ store, signal: waiting.signal }));
    expect(asked).toHaveLength(1);
  });

  it('reports no failure that an abort caused', async () => {
    const stop = stopping();
    const failures: unknown[] = [];
    const take = oneByOne(() => {
      stop.abort();
      throw new Error('in the middle');
    });
    const { store } = scripted([event(1)]);
    await followLog(
      options({
        store,
        signal: stop.signal,
        take,
        onFailure: (error) => void failures.push(error),
      }),
    );
    expect(failures).toEqual([]);
  });

  it('ends when the taker is done, together with the subscription that it read ahead of', async () => {
    const { store, asked } = scripted([event(1), event(2)]);
    const take: FollowLogOptions['take'] = async (deliveries) => {
      for await (const delivery of deliveries) if (delivery.kind === 'event') return 'done';
      return 'again';
    };
    await followLog(options({ store, signal: stopping().signal, take }));
    expect(asked).toHaveLength(1);
    expect(asked[0]?.signal.aborted).toBe(true);
  });

  it('ends with the error of the failure hook', async () => {
    const { store } = scripted([], []);
    const onFailure = (error: unknown) => {
      throw new Error('for good', { cause: error });
    };
    const following = followLog(options({ store, signal: stopping().signal, onFailure }));
    await expect(following).rejects.toMatchObject({ message: 'for good', cause: LOST });
  });
});
