import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { joinBytes } from './join-bytes.js';
import { TimeSlices } from './time-slices.js';

describe('joinBytes', () => {
  it('returns what Buffer.concat returns', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 40 })), async (parts) => {
        expect(await joinBytes(parts)).toEqual(Buffer.concat(parts));
      }),
    );
  });

  it('yields to the event loop between blocks of parts of any size', async () => {
    let time = 0;
    // Each look at the clock takes a whole slice.
    const slices = new TimeSlices(4, () => (time += 4));
    const parts = [new Uint8Array(3 * 1024 * 1024 + 1).fill(1), new Uint8Array(2).fill(2)];
    let turns = 0;
    let ended = false;
    const counting = (): void => {
      turns += 1;
      if (!ended) setImmediate(counting);
    };
    setImmediate(counting);
    const joined = await joinBytes(parts, slices);
    ended = true;
    expect(turns).toBeGreaterThanOrEqual(4);
    expect(joined.equals(Buffer.concat(parts))).toBe(true);
  });
});
