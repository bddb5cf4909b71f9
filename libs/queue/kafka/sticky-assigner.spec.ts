import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { shareOut } from './sticky-assigner.js';

const claim = (memberId: string, ...partitions: number[]) => ({ memberId, partitions });

describe('shareOut', () => {
  it('moves to a new member only what an even assignment needs', () => {
    const share = shareOut(
      [0, 1, 2, 3, 4, 5],
      [claim('a', 0, 1, 2), claim('b', 3, 4, 5), claim('c')],
    );
    expect(share).toEqual(
      new Map([
        ['a', [0, 1]],
        ['b', [3, 4]],
        ['c', [2, 5]],
      ]),
    );
  });

  it('keeps the partitions of every member when one leaves', () => {
    const share = shareOut([0, 1, 2, 3, 4, 5], [claim('a', 0, 1), claim('b', 2, 3)]);
    expect(share.get('a')).toEqual(expect.arrayContaining([0, 1]));
    expect(share.get('b')).toEqual(expect.arrayContaining([2, 3]));
  });

  it('assigns each partition to exactly one member and evenly, whatever the claims', () => {
    const members = fc.array(fc.uniqueArray(fc.integer({ min: -1, max: 20 })), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 16 }), members, (count, claimed) => {
        const partitions = Array.from({ length: count }, (_, index) => index);
        const share = shareOut(
          partitions,
          claimed.map((own, index) => claim(`m${index}`, ...own)),
        );
        const dealt = [...share.values()];
        expect(dealt.flat().sort((a, b) => a - b)).toEqual(partitions);
        const sizes = dealt.map(({ length }) => length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('changes nothing if no member joined or left', () => {
    const claims = [claim('a', 4, 0), claim('b', 1, 3), claim('c', 2)];
    const share = shareOut([0, 1, 2, 3, 4], claims);
    for (const { memberId, partitions } of claims) expect(share.get(memberId)).toEqual(partitions);
  });
});
