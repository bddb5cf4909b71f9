import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ApiHarness } from '#test/support/api/api-harness';

const LISTED = 'https://app.example.com';
const STRANGERS = [
  ...[
    'https://evil.example',
    'https://app.example.com.evil.example',
    'http://app.example.com',
    'null',
    '*',
  ],
  ...['https://app.example.com:8443', 'https://APP.example.com', 'https://app.example.com/'],
];

describe('calls from pages of other origins', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await ApiHarness.start({
      environment: { CORS_ORIGINS: `http://localhost:5173, ${LISTED}` },
    });
  });
  afterAll(() => api.stop());

  const preflight = (origin: string, url = '/search', wanted = 'POST') =>
    api.call('OPTIONS', url, undefined, {
      key: null,
      headers: { origin, 'access-control-request-method': wanted },
    });
  const ofOrigins = (headers: object) =>
    Object.keys(headers).filter((name) => name.startsWith('access-control-'));

  it.each(['http://localhost:5173', LISTED])(
    'are allowed to %s, credentials included',
    async (origin) => {
      const asked = await preflight(origin);
      expect([asked.status, asked.text]).toEqual([204, '']);
      expect(asked.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'access-control-max-age': '600',
        vary: 'Origin',
        'x-request-id': expect.any(String),
        'x-content-type-options': 'nosniff',
      });
      expect(asked.headers['access-control-allow-headers']).toMatch(/\bX-CSRF-Token\b/);
      for (const key of [api.keyA, null]) {
        const { status, headers } = await api.call('GET', '/sources', undefined, {
          key,
          headers: { origin },
        });
        expect(status).toBe(key === null ? 401 : 200);
        expect(headers).toMatchObject({
          'access-control-allow-origin': origin,
          'access-control-allow-credentials': 'true',
          vary: 'Origin',
        });
        expect(headers['access-control-expose-headers']).toMatch(/\bX-Receipt-Id\b/);
      }
    },
  );

  it.each(STRANGERS)('are not allowed to %s', async (origin) => {
    const asked = await preflight(origin);
    expect(asked).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const answered = await api.call('GET', '/sources', undefined, { headers: { origin } });
    for (const { headers } of [asked, answered]) {
      expect(ofOrigins(headers)).toEqual([]);
      expect(headers['vary']).toBe('Origin');
    }
  });

  it('reach no route by a preflight, and none without one is taken for it', async () => {
    const before = await api.eventCount();
    for (const url of ['/sources', '/keys', '/policy/reset', '/nowhere']) {
      expect((await preflight(LISTED, url)).status).toBe(204);
    }
    const plain = await api.call('OPTIONS', '/sources', undefined, { headers: { origin: LISTED } });
    expect(plain.status).toBe(404);
    expect(await api.eventCount()).toBe(before);
  });
});

describe('without listed origins', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await ApiHarness.start();
  });
  afterAll(() => api.stop());

  it('no answer speaks of origins, and there is no preflight', async () => {
    const headers = { origin: LISTED, 'access-control-request-method': 'POST' };
    for (const method of ['OPTIONS', 'GET']) {
      const answer = await api.call(method, '/sources', undefined, { headers });
      expect(answer.status).toBe(method === 'GET' ? 200 : 404);
      expect(Object.keys(answer.headers).filter((name) => /^access-control-/.test(name))).toEqual(
        [],
      );
      expect(answer.headers['vary']).toBeUndefined();
    }
  });
});
