import { describe, expect, it } from '@jest/globals';

import { SimulationTally } from './simulation-tally.js';

describe('SimulationTally', () => {
  it.each([
    [['a', 'b'], ['a', 'b'], []],
    [['a', 'b'], [], ['refused']],
    [[], ['a'], ['answered']],
    [[], [], []],
    [['a', 'b'], ['b', 'a'], ['reordered']],
    [['a', 'b', 'c'], ['a', 'c'], ['dropped']],
    [['a', 'b'], ['a', 'x', 'b'], ['added']],
    [
      ['a', 'b', 'c'],
      ['x', 'c', 'a'],
      ['dropped', 'added', 'reordered'],
    ],
  ])('compares %j with %j', (before, after, effects) => {
    const tally = new SimulationTally();
    tally.add('r', before, after);
    const { examples, unchanged, simulated, skipped } = tally.view();
    expect(examples.map((example) => example.effects)).toEqual(
      effects.length === 0 ? [] : [effects],
    );
    expect([simulated, unchanged, skipped]).toEqual([1, effects.length === 0 ? 1 : 0, []]);
  });

  it('keeps at most 20 examples, and counts what was skipped by code', () => {
    const tally = new SimulationTally();
    for (let at = 0; at < 30; at += 1) tally.add(`r${at}`, ['a'], []);
    tally.skip('generation_dropped');
    tally.skip('generation_dropped');
    const { refused, examples, skipped } = tally.view();
    expect([refused, examples.length]).toEqual([30, 20]);
    expect(skipped).toEqual([{ code: 'generation_dropped', count: 2 }]);
  });
});
