import { describe, expect, it } from '@jest/globals';

import { TransferFloor } from './transfer-floor.js';

describe('TransferFloor', () => {
  const floor = () => new TransferFloor({ bytesPerSecond: 100, seconds: 3 });
  /** Returns the seconds at which the transfer is too slow. */
  const slowAt = (watched: TransferFloor, arrived: readonly number[]) =>
    arrived.flatMap((bytes, second) => (watched.isTooSlow(second * 1_000, bytes) ? [second] : []));

  it('accepts a transfer that is slow for a moment', () => {
    expect(slowAt(floor(), [0, 500, 500, 510, 900, 1_000, 1_100, 1_200])).toEqual([]);
  });

  it('reports a transfer that stays slower for the whole time', () => {
    expect(slowAt(floor(), [0, 1_000, 1_010, 1_020, 1_030, 1_040])).toEqual([4, 5]);
  });

  it('reports a transfer that never starts, but only after the whole time', () => {
    expect(slowAt(floor(), [0, 0, 0, 0])).toEqual([3]);
  });

  it('restarts the measurement while one side is at work', () => {
    const watched = floor();
    expect(slowAt(watched, [0, 0, 0])).toEqual([]);
    watched.atWork();
    expect([3, 4, 5].map((second) => watched.isTooSlow(second * 1_000, 0))).toEqual([
      false,
      false,
      false,
    ]);
    expect(watched.isTooSlow(6_000, 0)).toBe(true);
  });
});
