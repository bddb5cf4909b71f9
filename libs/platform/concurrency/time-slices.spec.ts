import { describe, expect, it } from '@jest/globals';

import { TimeSlices } from './time-slices.js';

describe('TimeSlices', () => {
  it('yields to the event loop only once a slice is used up', async () => {
    let time = 0;
    let turns = 0;
    const count = (): void => {
      turns += 1;
    };
    const slices = new TimeSlices(4, () => time);
    setImmediate(count);
    time = 3;
    await slices.pause();
    expect(turns).toBe(0);
    time = 4;
    expect(slices.isUsedUp).toBe(true);
    await slices.pause();
    expect(turns).toBe(1);
    time = 7;
    expect(slices.isUsedUp).toBe(false);
  });

  it('rejects with the reason of an aborted signal after a pause', async () => {
    let time = 0;
    const slices = new TimeSlices(4, () => time);
    time = 10;
    await expect(slices.pause(AbortSignal.abort(new Error('cancelled')))).rejects.toThrow(
      'cancelled',
    );
  });
});
