import { describe, expect, it } from '@jest/globals';

import { ParseBudget } from './parse-budget.js';

describe('the budget of a parse', () => {
  it('is used up for good once a look finds the clock past its end', () => {
    let now = 0;
    const budget = new ParseBudget(100, () => now);
    expect(budget.isUsedUp()).toBe(false);
    now = 101;
    // Work that ended between two looks stays valid.
    expect(budget.wasExceeded).toBe(false);
    expect(budget.isUsedUp()).toBe(true);
    now = 0;
    expect(budget.isUsedUp()).toBe(true);
    expect(budget.wasExceeded).toBe(true);
  });
});
