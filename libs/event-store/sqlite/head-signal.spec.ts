import { getEventListeners } from 'node:events';

import { describe, expect, it } from '@jest/globals';

import { HeadSignal } from './head-signal.js';

describe('HeadSignal', () => {
  const never = new AbortController().signal;

  it('does not wait for existing events', async () => {
    await new HeadSignal(5).passes(4, never);
  });

  it('wakes every waiter of the new events, and no other', async () => {
    const head = new HeadSignal(5);
    const woken: number[] = [];
    const waits = [5, 6, 7].map(async (place) => {
      await head.passes(place, never);
      woken.push(place);
    });
    head.advance(7);
    await Promise.all(waits.slice(0, 2));
    expect(woken).toEqual([5, 6]);
    head.advance(6);
    expect(head.current).toBe(7);
    head.advance(8);
    await waits[2];
    expect(woken).toEqual([5, 6, 7]);
  });

  it('ends the wait when the signal aborts, and leaves no listener behind', async () => {
    const abort = new AbortController();
    const head = new HeadSignal(0);
    const waiting = head.passes(0, abort.signal);
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1);
    abort.abort();
    await waiting;
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(0);
    await head.passes(0, abort.signal);
  });

  it('rejects waits, current and later, once it has ended', async () => {
    const head = new HeadSignal(0);
    const waiting = head.passes(0, never);
    head.end(new Error('closed'));
    head.end(new Error('later'));
    await expect(waiting).rejects.toThrow('closed');
    await expect(head.passes(3, never)).rejects.toThrow('closed');
  });
});
