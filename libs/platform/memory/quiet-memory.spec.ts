import { describe, expect, it } from '@jest/globals';

import { QuietMemory } from './quiet-memory.js';

/** Looks once a second while the process uses the given shares of a processor. */
function switchesAfter(shares: readonly number[]): readonly (readonly [number, boolean])[] {
  const switches: [number, boolean][] = [];
  let [used, at] = [0, 0];
  const memory = new QuietMemory({
    processorTime: () => used,
    releaseMemory: (on) => switches.push([at, on]),
  });
  for (const share of shares) {
    at += 1;
    used += share * 1_000_000;
    memory.look();
  }
  return switches;
}

describe('memory of a quiet process', () => {
  it('is released after three quiet seconds in a row, once', () => {
    expect(switchesAfter([0.05, 0.05, 1.5, 0.05, 0.05, 0.05, 0.05])).toEqual([[6, true]]);
  });

  it('is no longer released when work begins, and again after it', () => {
    expect(switchesAfter([0, 0, 0, 0.9, 0.9, 0, 0, 0])).toEqual([
      [3, true],
      [4, false],
      [8, true],
    ]);
  });

  it('is still released while little is done, as by the collection itself', () => {
    expect(switchesAfter([0, 0, 0, 0.15, 0.15])).toEqual([[3, true]]);
  });

  it('is not released between requests that never pause', () => {
    expect(switchesAfter([0.3, 0, 0, 0.3, 0, 0, 0.3, 0, 0])).toEqual([]);
  });
});
