import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { toTenantCloudEvent } from '#contracts';
import type { FeedEventPage, FeedEventView } from '#contracts/http/index';
import { systemClock } from '#platform';
import { ApiHarness } from '#test/support/api/api-harness';
import { keysUsed } from '#test/support/api/keys-used';
import { readLog } from '#test/support/read-log';

describe('GET /events', () => {
  let api: ApiHarness;

  beforeAll(async () => {
    const clock = { ...systemClock, now: () => new Date('2026-03-01T10:20:00.000Z') };
    api = await ApiHarness.start({ clock });
    await keysUsed(api);
    await api.call('PUT', '/policy', { staleness_budget_seconds: 7_200 });
    await api.call('PUT', '/policy', { staleness_budget_seconds: 60 }, { key: api.keyB });
    await api.call('PUT', '/policy', { staleness_budget_seconds: 3_600 });
  });
  afterAll(() => api.stop());

  const page = async (query = '', key = api.keyA) => {
    const answer = await api.call<FeedEventPage>('GET', `/events${query}`, undefined, { key });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.body;
  };

  it('returns every event of the tenant once as CloudEvents, in log order', async () => {
    for (const [tenant, key] of [
      [api.tenantA, api.keyA],
      [api.tenantB, api.keyB],
    ] as const) {
      // Reading a page is an event, once an hour.
      await page('?limit=1', key);
      const log = await readLog(api.store);
      const own = log.filter(({ metadata }) => metadata.tenant_id === tenant);
      const events: FeedEventView[] = [];
      for (let after = ''; ;) {
        const { events: shown, next, has_more } = await page(`?limit=2${after}`, key);
        events.push(...shown);
        if (!has_more) break;
        after = `&after=${next}`;
      }
      expect(events).toEqual(own.map((event, seq) => toTenantCloudEvent(event, seq)));
    }
  });

  it('continues at the cursor of the last page, also after an empty page', async () => {
    const { next } = await page('?limit=100');
    const after = `?after=${next}&types=PolicyUpdated`;
    expect(await page(after)).toEqual({ events: [], next, has_more: false });
    await api.call('PUT', '/policy', { staleness_budget_seconds: 1_800 });
    const { events } = await page(after);
    expect(events).toMatchObject([
      {
        specversion: '1.0',
        type: 'PolicyUpdated',
        tenantid: api.tenantA,
        sequence: expect.stringMatching(/^\d{16}$/),
        data: { changes: { staleness_budget_seconds: 1_800 } },
      },
    ]);
    expect(Number(events[0]?.sequence)).toBeGreaterThan(next ?? Infinity);
  });

  it('filters by several types and withholds digests of keys', async () => {
    const { events } = await page('?types=ApiKeyIssued,PolicyUpdated&limit=100');
    expect(new Set(events.map(({ type }) => type))).toEqual(
      new Set(['ApiKeyIssued', 'PolicyUpdated']),
    );
    for (const { type, data } of events)
      if (type === 'ApiKeyIssued') expect(data).not.toHaveProperty('digest');
  });

  it.each([
    ['types=Unknown', 'types'],
    ['types=PolicyUpdated,', 'types'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['after=-1', 'after'],
  ])('rejects %s', async (query, field) => {
    const { status, body } = await api.call('GET', `/events?${query}`);
    expect([status, body['code']]).toEqual([400, 'validation_failed']);
    expect(JSON.stringify(body['details'])).toContain(`"${field}"`);
  });
});
