import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { sortedInSlices } from './sorted-in-slices.js';
import { TimeSlices } from './time-slices.js';

describe('a sort in slices', () => {
  it('returns what a stable sort returns', async () => {
    const items = fc.array(fc.record({ key: fc.nat(20), id: fc.nat() }), { maxLength: 2_000 });
    await fc.assert(
      fc.asyncProperty(items, async (all) => {
        const byKey = (a: { key: number }, b: { key: number }) => a.key - b.key;
        expect(await sortedInSlices(all, byKey)).toEqual([...all].sort(byKey));
      }),
      { numRuns: 50 },
    );
  });

  it('yields between slices', async () => {
    let yields = 0;
    let now = 0;
    const slices = new TimeSlices(1, () => (now += 1));
    const pause = slices.pause.bind(slices);
    slices.pause = (signal) => {
      yields += 1;
      return pause(signal);
    };
    const items = Array.from({ length: 1_000 }, (_, at) => -at);
    const sorted = await sortedInSlices(items, (a, b) => a - b, slices);
    expect(sorted).toEqual([...items].reverse());
    expect(yields).toBeGreaterThanOrEqual(4);
  });
});
