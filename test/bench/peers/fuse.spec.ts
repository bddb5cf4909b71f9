import { describe, expect, it } from '@jest/globals';

import { fuseRanks } from './fuse.js';

describe('fuseRanks', () => {
  it('prefers what two rankings have to what one of them has first', () => {
    expect(
      fuseRanks(
        [
          ['a', 'b', 'c'],
          ['d', 'b'],
        ],
        10,
      ),
    ).toEqual(['b', 'a', 'd', 'c']);
  });

  it('keeps the order of appearance between equals and cuts at the limit', () => {
    expect(
      fuseRanks(
        [
          ['a', 'c'],
          ['b', 'd'],
        ],
        3,
      ),
    ).toEqual(['a', 'b', 'c']);
  });

  it('gives the one ranking there is as it is', () => {
    expect(fuseRanks([[], [3, 1, 2]], 10)).toEqual([3, 1, 2]);
  });
});
