import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { QuotaUsageView } from '#contracts/http/index';
import { newApiKeySecret, systemClock, uuidv7 } from '#platform';
import { ApiHarness } from '#test/support/api/api-harness';

import { networkOf } from './address-subject.js';

const LIMITS = {
  QUOTA_PLANS: JSON.stringify({ standard: { requests: { minute: 20 } } }),
  RATE_LIMIT_ADDRESS: '40',
  RATE_LIMIT_FAILED_AUTH: '5',
  TRUST_PROXY: '127.0.0.1',
};

describe('rate limits', () => {
  let api: ApiHarness;
  let minutes = 0;
  beforeAll(async () => {
    const clock = {
      now: () => new Date(),
      monotonic: () => systemClock.monotonic() + minutes * 61_000,
    };
    api = await ApiHarness.start({ environment: LIMITS, limiterClock: clock });
  });
  afterAll(() => api.stop());

  let addresses = 0;
  /** A minute later, from an address of its own. */
  const afresh = () => {
    minutes += 1;
    addresses += 1;
    return { 'x-forwarded-for': `203.0.113.${addresses}` };
  };
  const times = async (count: number, ask: () => Promise<{ status: number }>) => {
    const counts = new Map<number, number>();
    for (const { status } of await Promise.all(Array.from({ length: count }, ask))) {
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
    return Object.fromEntries(counts);
  };

  it('hold a tenant to the requests of its plan, whatever its key and address, and not another tenant', async () => {
    const headers = afresh();
    const second = newApiKeySecret().secret;
    await api.issueKey(api.tenantA, second, ['read']);
    expect(await times(30, () => api.call('GET', '/policy', undefined, { headers }))).toEqual({
      200: 20,
      429: 10,
    });
    const other = { 'x-forwarded-for': '198.51.100.7' };
    const refused = await api.call('GET', '/policy', undefined, { key: second, headers: other });
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(refused.headers).toMatchObject({ 'ratelimit-limit': '20', 'ratelimit-remaining': '0' });
    expect(refused.headers['retry-after']).toBe(refused.headers['ratelimit-reset']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50);
    expect(
      (await api.call('GET', '/policy', undefined, { key: api.keyB, headers: other })).status,
    ).toBe(200);
    minutes += 1;
    const { body } = await api.call<QuotaUsageView>('GET', '/quota/usage', undefined, { headers });
    const requests = body.usage.find(({ metric }) => metric === 'requests');
    expect(requests).toMatchObject({ window: 'minute', limit: 20, used: 1, remaining: 19 });
    expect(Date.parse(requests?.resets_at ?? '')).toBeGreaterThan(Date.now());
  });

  it('refuse an address before anything of a body is read, also one that cannot be', async () => {
    const headers = afresh();
    const broken = () => api.call('POST', '/sources', '{', { headers });
    expect(await times(20, broken)).toEqual({ 400: 20 });
    expect(await times(3, broken)).toEqual({ 429: 3 });
    const pages = () => api.call('GET', '/nowhere', undefined, { key: api.keyB, headers });
    expect(await times(30, pages)).toEqual({ 404: 17, 429: 13 });
    expect((await pages()).status).toBe(429);
    expect((await api.call('GET', '/', undefined, { headers, key: null })).status).toBe(429);
  });

  it('hold failed authentication to a stricter bound, many at once too, and good keys from there not', async () => {
    const headers = afresh();
    const unknown = () =>
      api.call('POST', '/sources', '{', { key: newApiKeySecret().secret, headers });
    expect(await times(12, unknown)).toEqual({ 400: 5, 429: 7 });
    expect((await api.call('GET', '/policy', undefined, { key: null, headers })).status).toBe(429);
    expect((await api.call('GET', '/policy', undefined, { headers })).status).toBe(200);
    const elsewhere = { 'x-forwarded-for': '198.51.100.9' };
    expect(
      (await api.call('GET', '/policy', undefined, { key: null, headers: elsewhere })).status,
    ).toBe(401);
  });

  it('count each refusal of 401 as failed', async () => {
    const headers = afresh();
    const unknown = () =>
      api.call('GET', '/policy', undefined, { key: newApiKeySecret().secret, headers });
    expect(await times(12, unknown)).toEqual({ 401: 5, 429: 7 });
  });

  it('count refused sign-ins as failed, whichever account they try', async () => {
    const headers = afresh();
    let account = 0;
    const guess = () => {
      account += 1;
      const body = {
        email: `person-${account}@example.com`,
        password: 'correct horse battery staple',
      };
      return api.call('POST', '/auth/login', body, { key: null, headers });
    };
    expect(await times(8, guess)).toEqual({ 401: 5, 429: 3 });
    // Failed sign-ins block no requests with keys.
    expect((await api.call('GET', '/policy', undefined, { key: null, headers })).status).toBe(401);
  });

  it('count no request as failed that is answered', async () => {
    const headers = afresh();
    for (let turn = 0; turn < 8; turn += 1) {
      expect((await api.call('GET', '/', undefined, { key: null, headers })).status).toBe(200);
    }
  });

  it('stand before a push reads the stream of a source', async () => {
    const headers = {
      ...afresh(),
      'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
      'x-github-event': 'push',
    };
    let reads = 0;
    const read = api.store.read.bind(api.store);
    api.store.read = (...parameters) => {
      if (parameters[0].startsWith('source-')) reads += 1;
      return read(...parameters);
    };
    const push = () =>
      api.call('POST', `/sources/${uuidv7()}/hooks/push`, {}, { key: null, headers });
    const statuses = await times(60, push);
    api.store.read = read;
    expect(statuses[429]).toBeGreaterThanOrEqual(20);
    expect(reads).toBeLessThanOrEqual(60 - (statuses[429] ?? 0));
  });

  it('leave health, metrics and the description alone', async () => {
    const headers = afresh();
    for (const path of ['/health/live', '/metrics', '/openapi.json']) {
      expect(
        await times(45, () => api.call('GET', path, undefined, { key: null, headers })),
      ).toEqual({ 200: 45 });
    }
  });

  it('take an IPv6 network for one address, and one written as IPv6 for what it is', () => {
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(networkOf('2001:db8:1:2:ffff::1')).toBe('2001:db8:1:2::/64');
    expect(networkOf('::ffff:203.0.113.5')).toBe('203.0.113.5');
    expect(networkOf('203.0.113.5')).toBe('203.0.113.5');
  });
});
