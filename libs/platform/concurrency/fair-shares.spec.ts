import { describe, expect, it } from '@jest/globals';

import { PUBLIC_TENANT } from '#contracts';

import { FairShares, mostOf } from './fair-shares.js';

describe('fair shares', () => {
  it('give nobody more than the maximum: half of the slots, and at least one', () => {
    const shares = new FairShares();
    expect(shares.order(['a', 'b'], new Map([['a', 2]]), 2)).toEqual(['b']);
    expect(shares.order(['a'], new Map([['a', 2]]), 2)).toEqual([]);
    expect([1, 2, 3, 4, 5].map(mostOf)).toEqual([1, 1, 1, 2, 2]);
  });

  it('go to the tenant with the fewest, then to the one with the oldest turn', () => {
    const shares = new FairShares();
    for (const tenant of ['b', 'a', 'c']) shares.given(tenant);
    expect(shares.order(['a', 'b', 'c', 'new'], new Map([['new', 1]]), 4)).toEqual([
      'b',
      'a',
      'c',
      'new',
    ]);
    shares.given('b');
    expect(shares.order(['a', 'b', 'c', 'new'], new Map(), 4)).toEqual(['new', 'a', 'c', 'b']);
  });

  it('go to packages first, and to other tenants if packages have their half', () => {
    const shares = new FairShares();
    for (const tenant of ['a', PUBLIC_TENANT]) shares.given(tenant);
    expect(shares.order(['new', 'a', PUBLIC_TENANT], new Map([[PUBLIC_TENANT, 1]]), 2)).toEqual([
      ...[PUBLIC_TENANT, 'new', 'a'],
    ]);
    expect(shares.order(['a', PUBLIC_TENANT], new Map([[PUBLIC_TENANT, 2]]), 2)).toEqual(['a']);
    expect(shares.order(['a', PUBLIC_TENANT], new Map(), 1)).toEqual(['a', PUBLIC_TENANT]);
  });
});
