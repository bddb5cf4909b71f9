import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ApiHarness } from '#test/support/api/api-harness';
import { publish, uniqueWord } from '#test/support/api/publish';

const DAY_SECONDS = 86_400;

type Bucket = Readonly<Record<string, number>> & { readonly start: string };

describe('GET /analytics', () => {
  let api: ApiHarness;
  const word = uniqueWord();

  beforeAll(async () => {
    api = await ApiHarness.start();
    for (const [tenant, days] of [
      [api.tenantA, 2],
      [api.tenantB, 0],
    ] as const)
      await publish(api, [{ path: 'a.ts', content: `export const ${word} = 1;` }], {
        tenant,
        syncedAt: new Date(Date.now() - days * DAY_SECONDS * 1_000),
      });
    const search = (query: string, key = api.keyA) =>
      api.call('POST', '/search', { query }, { key });
    await search(word);
    await search('zzzzunknownzzzz');
    await api.call('PUT', '/policy', { staleness_budget_seconds: DAY_SECONDS });
    await search(word);
    await api.call('POST', '/search/rmh', { query: word });
    await search(word, api.keyB);
  });
  afterAll(() => api.stop());

  /** Returns the sums of all buckets, which may end between two searches. */
  const sums = async (kind: string, key = api.keyA, query = '') => {
    const { status, body, text } = await api.call<{ buckets: Bucket[] }>(
      'GET',
      `/analytics/${kind}${query}`,
      undefined,
      { key },
    );
    expect([status, text]).toEqual([200, expect.any(String)]);
    const sum: Record<string, number> = {};
    for (const { start, ...counts } of body.buckets) {
      expect(new Date(start).toISOString()).toBe(start);
      for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
    }
    return sum;
  };

  it('counts searches by kind, for the own tenant alone', async () => {
    expect(await sums('searches')).toEqual({ searches: 4, search: 3, rmh: 1, chat: 0, code: 0 });
    expect(await sums('searches', api.keyB)).toEqual({
      searches: 1,
      search: 1,
      rmh: 0,
      chat: 0,
      code: 0,
    });
  });

  it('counts searches without evidence', async () => {
    expect(await sums('no-evidence')).toMatchObject({ searches: 4, no_evidence: 1 });
    expect(await sums('no-evidence', api.keyB)).toMatchObject({ searches: 1, no_evidence: 0 });
  });

  it('counts results that were stale by the policy of their time', async () => {
    const stale = await sums('stale-hits');
    // The first search was under the default budget of 30 days.
    expect(stale).toEqual({
      searches: 4,
      stale_searches: 2,
      source_hits: 3,
      stale_source_hits: 2,
    });
    expect(await sums('stale-hits', api.keyB)).toMatchObject({ source_hits: 1, stale_searches: 0 });
  });

  it('counts metered units and jobs', async () => {
    const usage = await sums('usage');
    expect(usage).toMatchObject({ search: 4, chat: 0, rover: 0 });
    expect(await sums('usage', api.keyB)).toMatchObject({ search: 1 });
    expect(await sums('jobs')).toMatchObject({ completed: 1, failed: 0, cancelled: 0 });
  });

  it('counts a period alone, in buckets without gaps', async () => {
    const past = '?from=2020-01-01T00:00:00Z&to=2020-01-01T02:00:00Z&bucket=hour';
    const { body } = await api.call<{ buckets: Bucket[] }>('GET', `/analytics/searches${past}`);
    const none = { searches: 0, search: 0, rmh: 0, chat: 0, code: 0 };
    expect(body.buckets).toEqual(
      ['00', '01', '02'].map((hour) => ({ start: `2020-01-01T${hour}:00:00.000Z`, ...none })),
    );
  });

  it.each([
    ['bucket=month', 'bucket'],
    ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'from'],
    ['from=2000-01-01T00:00:00Z&bucket=hour', 'from'],
    ['from=today', 'from'],
  ])('rejects %s', async (query, field) => {
    const { status, body } = await api.call('GET', `/analytics/usage?${query}`);
    expect([status, body['code']]).toEqual([400, 'validation_failed']);
    expect(JSON.stringify(body['details'])).toContain(`"${field}"`);
  });
});
