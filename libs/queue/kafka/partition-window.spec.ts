import { describe, expect, it } from '@jest/globals';

import { PartitionWindow } from './partition-window.js';

describe('PartitionWindow', () => {
  it('has the lowest offset in hand as position, whatever the order of the ends', () => {
    const window = new PartitionWindow(0, 10n);
    for (const offset of [10n, 11n, 12n]) window.take(offset);
    window.done(11n);
    window.done(12n);
    expect(window.position).toBe(10n);
    window.done(10n);
    expect(window.position).toBe(13n);
  });

  it('takes each offset once, also if it is read again after it ended', () => {
    const window = new PartitionWindow(0, 0n);
    expect(window.take(0n)).toBe(true);
    expect(window.take(1n)).toBe(true);
    window.done(1n);
    expect([window.take(0n), window.take(1n), window.take(2n)]).toEqual([false, false, true]);
  });

  it('skips offsets without a record', () => {
    const window = new PartitionWindow(0, 5n);
    window.take(5n);
    window.passed(9n);
    expect(window.position).toBe(5n);
    window.done(5n);
    expect(window.position).toBe(9n);
    window.passed(7n);
    expect(window.position).toBe(9n);
  });

  it('never falls behind the acknowledged position', () => {
    const window = new PartitionWindow(0, 5n);
    window.acknowledged(8n);
    window.acknowledged(6n);
    expect(window.committed).toBe(8n);
  });
});
