import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { PROJECTIONS } from '#apps/api/engines/engines';
import { Lifecycle } from '#apps/api/lifecycle/lifecycle';
import type { Clock } from '#platform';
import { ApiHarness } from '#test/support/api/api-harness';

const CALLERS = 64;

describe('what is answered without credentials', () => {
  let api: ApiHarness;
  let elapsed = 0;
  const clock: Clock = { now: () => new Date(), monotonic: () => performance.now() + elapsed };

  beforeAll(async () => {
    api = await ApiHarness.start({ clock });
  });
  afterAll(() => api.stop());

  /** Queries that the engines were asked by many callers at once. */
  const queriesBy = async (url: string): Promise<number> => {
    const { readModel, store } = api;
    const [positionOf, head] = [readModel.positionOf.bind(readModel), store.head.bind(store)];
    let queries = 0;
    readModel.positionOf = (...asked) => ((queries += 1), positionOf(...asked));
    store.head = () => ((queries += 1), head());
    try {
      const answers = await Promise.all(
        Array.from({ length: CALLERS }, () => api.call('GET', url, undefined, { key: null })),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(CALLERS).fill(200));
      return queries;
    } finally {
      Object.assign(readModel, { positionOf });
      Object.assign(store, { head });
    }
  };

  it.each(['/health/ready', '/metrics'])(
    '%s asks the engines once a second, however many callers',
    async (url) => {
      elapsed += 1_000;
      const once = await queriesBy(url);
      expect(once).toBeGreaterThan(0);
      // The projections' places and the log's head.
      expect(once).toBeLessThanOrEqual(PROJECTIONS.length + 1);
      expect(await queriesBy(url)).toBe(0);
      elapsed += 1_000;
      expect(await queriesBy(url)).toBe(once);
    },
  );

  it('shows at once what this process knows about itself', async () => {
    const ready = () => api.call('GET', '/health/ready', undefined, { key: null });
    expect((await ready()).status).toBe(200);
    api.app.get(Lifecycle).announceEnd();
    expect((await ready()).status).toBe(503);
  });
});
