import { describe, expect, it } from '@jest/globals';

import { TransferFloor } from './transfer-floor.js';

describe('the floor of a transfer', () => {
  const floor = () => new TransferFloor({ bytesPerSecond: 100, seconds: 3 });
  /** Seconds at which the transfer was found too slow. */
  const slowAt = (watched: TransferFloor, arrived: readonly number[]) =>
    arrived.flatMap((bytes, second) => (watched.isTooSlow(second * 1_000, bytes) ? [second] : []));

  it('is kept by one that is slow for a moment', () => {
    expect(slowAt(floor(), [0, 500, 500, 510, 900, 1_000, 1_100, 1_200])).toEqual([]);
  });

  it('is missed by one that stays slower for all of the time', () => {
    expect(slowAt(floor(), [0, 1_000, 1_010, 1_020, 1_030, 1_040])).toEqual([4, 5]);
  });

  it('is missed by one that never begins, but not before its time', () => {
    expect(slowAt(floor(), [0, 0, 0, 0])).toEqual([3]);
  });

  it('does not count while one side is at work', () => {
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
