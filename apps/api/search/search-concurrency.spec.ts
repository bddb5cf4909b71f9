import { describe, expect, it } from '@jest/globals';

import { MOST_WAITING_SEARCHES } from '../quota/bounds.js';
import { SearchConcurrency } from './search-concurrency.js';

const FAIRNESS = { searchesPerTenant: 2, streamsPerTenant: 1, streamsInAll: 1 };

describe('places of searches', () => {
  it('lets a tenant work on so many at once, the others wait, and other tenants do not wait for them', async () => {
    const places = new SearchConcurrency({ fairness: FAIRNESS });
    const gate = Promise.withResolvers<void>();
    const begun: string[] = [];
    const search = (tenant: string) =>
      places.run(tenant, () => {
        begun.push(tenant);
        return gate.promise;
      });
    const all = ['a', 'a', 'a', 'b'].map(search);
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual(['a', 'a', 'b']);
    gate.resolve();
    await Promise.all(all);
    expect(begun).toEqual(['a', 'a', 'b', 'a']);
  });

  it('reports searches while one of any tenant is at work, and for a moment afterwards', async () => {
    const places = new SearchConcurrency({ fairness: FAIRNESS });
    expect(places.isSearching()).toBe(false);
    const gate = Promise.withResolvers<void>();
    const search = places.run('a', () => gate.promise);
    expect(places.isSearching()).toBe(true);
    gate.resolve();
    await search;
    const end = performance.now();
    while (places.isSearching()) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(performance.now() - end).toBeGreaterThan(40);
  });

  it('refuses who would wait behind a thousand, and gives places back when searches fail', async () => {
    const places = new SearchConcurrency({ fairness: FAIRNESS });
    const gate = Promise.withResolvers<never>();
    const all = Array.from({ length: 2 + MOST_WAITING_SEARCHES }, () =>
      places.run('a', () => gate.promise),
    );
    await expect(places.run('a', async () => 1)).rejects.toMatchObject({ code: 'rate_limited' });
    gate.reject(new Error('no'));
    expect((await Promise.allSettled(all)).every(({ status }) => status === 'rejected')).toBe(true);
    expect(await places.run('a', async () => 1)).toBe(1);
  });
});
