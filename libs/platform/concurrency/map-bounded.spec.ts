import { describe, expect, it } from '@jest/globals';

import { sleep } from '../clock/sleep.js';
import { mapBounded } from './map-bounded.js';

const never = new AbortController().signal;

describe('mapBounded', () => {
  it('returns results in order, with no more in flight than allowed', async () => {
    let inFlight = 0;
    let most = 0;
    const results = await mapBounded([30, 10, 20, 5, 1], 2, never, async (wait, index) => {
      most = Math.max(most, (inFlight += 1));
      await sleep(wait);
      inFlight -= 1;
      return `${index}:${wait}`;
    });
    expect(results).toEqual(['0:30', '1:10', '2:20', '3:5', '4:1']);
    expect(most).toBe(2);
  });

  it('starts nothing after a failure, and waits for items in flight', async () => {
    const started: number[] = [];
    let ended = 0;
    const work = async (part: number) => {
      started.push(part);
      await sleep(part === 2 ? 5 : 30);
      ended += 1;
      if (part === 2) throw new Error('no');
    };
    await expect(mapBounded([1, 2, 3, 4], 2, never, work)).rejects.toThrow('no');
    expect(started).toEqual([1, 2]);
    expect(ended).toBe(2);
  });

  it('ends with the reason of an abort', async () => {
    const controller = new AbortController();
    const work = async () => {
      controller.abort(new Error('enough'));
    };
    await expect(mapBounded([1, 2], 1, controller.signal, work)).rejects.toThrow('enough');
  });

  it('returns nothing for no items', async () => {
    expect(await mapBounded([], 3, never, async () => 1)).toEqual([]);
  });
});
