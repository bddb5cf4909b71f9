import { describe, expect, it } from '@jest/globals';

import { SharedReading } from './shared-reading.js';

function shared(read: () => Promise<number>) {
  const clock = { now: 0, monotonic: () => clock.now };
  return { clock, reading: new SharedReading(read, { forMs: 1_000, clock }) };
}

describe('SharedReading', () => {
  it('reads once for all callers within its time', async () => {
    let reads = 0;
    const { clock, reading } = shared(async () => (reads += 1));
    expect(await Promise.all(Array.from({ length: 100 }, () => reading.get()))).toEqual(
      Array(100).fill(1),
    );
    clock.now = 999;
    expect(await reading.get()).toBe(1);
    clock.now = 1_000;
    expect(await Promise.all([reading.get(), reading.get()])).toEqual([2, 2]);
  });

  it('begins no second read during a slow one', async () => {
    const slow = Promise.withResolvers<number>();
    let reads = 0;
    const { clock, reading } = shared(() => ((reads += 1), slow.promise));
    const first = reading.get();
    clock.now = 60_000;
    const second = reading.get();
    slow.resolve(7);
    expect([await first, await second, reads]).toEqual([7, 7, 1]);
  });

  it('passes a failure to all callers of a read, and reads again when its time is over', async () => {
    let reads = 0;
    const { clock, reading } = shared(async () => {
      if ((reads += 1) === 1) throw new Error('away');
      return reads;
    });
    const outcomes = await Promise.allSettled([reading.get(), reading.get()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    clock.now = 1_000;
    expect(await reading.get()).toBe(2);
  });
});
