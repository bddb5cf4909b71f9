import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { RecordedEvent, SearchResponse } from '#contracts';
import type { QuotaUsageView, QuotaView } from '#contracts/http/index';
import { systemClock } from '#platform';
import { ApiHarness } from '#test/support/api/api-harness';
import { publish, uniqueWord } from '#test/support/api/publish';
import { operatorRun } from '#test/support/operator-run';

import { changePlan } from '../tenants/change-plan.js';
import { quotaStream } from './quota-ledger.js';

const PLANS = {
  hundred: { search: { hour: 100, day: null }, chat: { hour: 7, day: 9 } },
  none: { search: { hour: 0 } },
  free: { search: { hour: null, day: null } },
};

describe('the quota of a tenant', () => {
  let api: ApiHarness;
  const word = uniqueWord();
  beforeAll(async () => {
    const environment = {
      QUOTA_PLANS: JSON.stringify(PLANS),
      DEFAULT_PLAN: 'hundred',
      SEARCHES_PER_TENANT: '20',
    };
    api = await ApiHarness.start({ environment });
    for (const tenant of [api.tenantA, api.tenantB]) {
      await publish(api, [{ path: 'src/a.py', content: `${word} = 1` }], { tenant });
    }
  });
  afterAll(() => api.stop());

  const search = (key = api.keyA, body: object = { query: word }, path = '/search') =>
    api.call<SearchResponse>('POST', path, body, { key });
  const charges = async (tenant: string) => {
    const events: RecordedEvent[] = [];
    for await (const event of api.store.read(quotaStream(tenant, 'search'))) events.push(event);
    return events.filter(({ type }) => type === 'QuotaConsumed').length;
  };
  const usedOf = async (key: string) => {
    const { body } = await api.call<QuotaUsageView>('GET', '/quota/usage', undefined, { key });
    return body.usage.find(({ metric, window }) => metric === 'search' && window === 'hour');
  };

  it('is shown with the bounds on what it may take at once', async () => {
    const { status, body } = await api.call<QuotaView>('GET', '/quota');
    expect(status).toBe(200);
    expect(body.plan).toBe('hundred');
    expect(
      body.limits.filter(({ metric }) => ['search', 'chat', 'sources'].includes(metric)),
    ).toEqual([
      { metric: 'search', window: 'hour', window_seconds: 3_600, limit: 100 },
      { metric: 'chat', window: 'hour', window_seconds: 3_600, limit: 7 },
      { metric: 'chat', window: 'day', window_seconds: 86_400, limit: 9 },
      { metric: 'sources', window: 'total', limit: 1_000 },
    ]);
    expect(body.fairness).toEqual({
      searches_at_once: 20,
      searches_waiting: 1_000,
      open_streams: 50,
      fetching_syncs: 2,
      syncs_per_stage: 2,
    });
  });

  it('is consumed by searches of every kind, found or not, and by nothing that is refused or replayed', async () => {
    const key = api.keyB;
    const first = await search(key);
    expect(first.status).toBe(200);
    expect(first.headers).toMatchObject({
      'ratelimit-limit': '100',
      'ratelimit-remaining': '99',
      'ratelimit-reset': '3600',
    });
    expect((await search(key, { query: uniqueWord() })).body.results).toBeUndefined();
    expect((await search(key, { query: word }, '/search/rmh')).headers['ratelimit-remaining']).toBe(
      '97',
    );
    expect(
      (await api.call('GET', `/search?query=${word}`, undefined, { key })).headers[
        'ratelimit-remaining'
      ],
    ).toBe('96');
    expect((await search(key, { query: '' })).status).toBe(400);
    expect((await search(key, { query: word, top_k: 0 })).status).toBe(400);
    expect((await api.call('POST', '/search', '{', { key })).status).toBe(400);
    const receipt = String(first.headers['x-receipt-id']);
    expect((await api.call('POST', `/receipts/${receipt}/replay`, undefined, { key })).status).toBe(
      200,
    );
    expect(await charges(api.tenantB)).toBe(4);
    expect(await usedOf(key)).toMatchObject({ limit: 100, used: 4, remaining: 96 });
    expect(String((await usedOf(key))?.resets_at)).toMatch(/^\d{4}-.*Z$/);
  });

  it('answers exactly 100 of 200 parallel searches against a limit of 100, refuses 100, and stores 100 charges', async () => {
    expect(await usedOf(api.keyA)).toEqual({
      metric: 'search',
      window: 'hour',
      limit: 100,
      used: 0,
      remaining: 100,
      resets_at: null,
    });
    const answers = await Promise.all(Array.from({ length: 200 }, () => search()));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
    expect(refused).toHaveLength(100);
    expect(await charges(api.tenantA)).toBe(100);
    for (const { body, headers } of refused) {
      expect(body).toMatchObject({ code: 'quota_exceeded', details: [{ field: 'search' }] });
      expect(headers).toMatchObject({ 'ratelimit-limit': '100', 'ratelimit-remaining': '0' });
      expect(Number(headers['retry-after'])).toBeGreaterThan(3_500);
      expect(headers['ratelimit-reset']).toBe(headers['retry-after']);
    }
    expect(await usedOf(api.keyA)).toMatchObject({ used: 100, remaining: 0 });
    expect((await search(api.keyB)).status).toBe(200);
  });

  it('is that of the plan that the operator gave it last, at once', async () => {
    const plan = async (name: string) => {
      await changePlan(api.store, systemClock, api.tenantB, name, operatorRun('tenant'));
      const deadline = Date.now() + 5_000;
      for (;;) {
        const { body } = await api.call<QuotaView>('GET', '/quota', undefined, { key: api.keyB });
        if (body.plan === name) return;
        if (Date.now() > deadline) throw new Error(`It still has the plan ${body.plan}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    await plan('none');
    expect(await search(api.keyB)).toMatchObject({ status: 429, body: { code: 'quota_exceeded' } });
    await plan('free');
    const { status, headers } = await search(api.keyB);
    expect([status, headers['ratelimit-limit']]).toEqual([200, undefined]);
    await plan('hundred');
    expect(await usedOf(api.keyB)).toMatchObject({ used: await charges(api.tenantB) });
    await expect(
      changePlan(api.store, systemClock, 'nobody', 'free', operatorRun('tenant')),
    ).rejects.toThrow('There is no tenant nobody');
  });
});
