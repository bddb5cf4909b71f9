import { describe, expect, it } from '@jest/globals';

import { growingCache } from './growing-cache.js';

describe('growing cache', () => {
  it('removes the least recently used entry beyond its maximum', () => {
    const cache = growingCache<number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    cache.get('a');
    cache.set('c', 3);
    expect([...cache.keys()].toSorted()).toEqual(['a', 'c']);
  });

  it('counts an entry once, however often it is set', () => {
    const cache = growingCache<number>(2);
    for (const value of [1, 2, 3]) cache.set('a', value);
    cache.set('b', 4);
    expect([cache.get('a'), cache.get('b'), cache.size]).toEqual([3, 4, 2]);
  });

  it('reserves nothing for entries that it does not have', () => {
    expect(growingCache<number>(1_000_000_000).size).toBe(0);
  });
});
