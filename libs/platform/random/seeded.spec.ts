import { describe, expect, it } from '@jest/globals';

import { seeded } from './seeded.js';

describe('random numbers of a seed', () => {
  it.each([
    [1, [0.6270739405881613, 0.002735721180215478, 0.5274470399599522]],
    [0xffff_ffff, [0.8964226141106337, 0.189478256739676]],
  ])('are the published ones of mulberry32 for %d', (seed, published) => {
    const random = seeded(seed);
    expect(published.map(() => random())).toEqual(published);
  });
});
