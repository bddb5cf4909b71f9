import { describe, expect, it } from '@jest/globals';

import { BodyBudget } from './body-budget.js';

describe('the budget of bodies without credentials', () => {
  /** Begins a body that notes its name when it is given up. */
  function bodies(limit: number) {
    const budget = new BodyBudget(limit);
    const givenUp: string[] = [];
    const begin = (network: string, name: string) =>
      budget.begin(network, () => givenUp.push(name));
    return { budget, givenUp, begin };
  }

  it('gives up the largest body of the network that holds the most, and never holds more than its limit', () => {
    const { budget, givenUp, begin } = bodies(100);
    const [small, large] = [begin('flood', 'small'), begin('flood', 'large')];
    small.grow(30);
    large.grow(60);
    begin('provider', 'push').grow(20);
    expect(givenUp).toEqual(['large']);
    expect(budget.held).toBe(50);
    small.grow(1_000);
    expect(givenUp).toEqual(['large', 'small']);
    expect(budget.held).toBe(20);
  });

  it('keeps complete bodies, and gives up the one that grows where only those are left', () => {
    const { budget, givenUp, begin } = bodies(100);
    const whole = begin('a', 'whole');
    whole.grow(90);
    whole.complete();
    begin('b', 'next').grow(20);
    expect(givenUp).toEqual(['next']);
    whole.release();
    whole.release();
    expect(budget.held).toBe(0);
  });

  it('counts nothing for bodies that are declared and not sent, and nothing after the release', () => {
    const { budget, givenUp, begin } = bodies(100);
    const declared = Array.from({ length: 1_000 }, (_, nth) => begin('flood', `${nth}`));
    expect(budget.held).toBe(0);
    for (const body of declared) body.release();
    declared[0]?.grow(500);
    expect([budget.held, givenUp]).toEqual([0, []]);
  });
});
