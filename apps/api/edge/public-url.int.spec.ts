import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ApiHarness } from '#test/support/api/api-harness';

const CLAIMED = {
  host: 'evil.example',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'https',
  'x-forwarded-for': '203.0.113.99',
  forwarded: 'for=203.0.113.99;host=evil.example;proto=https',
};

describe('what a request claims of how it came', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await ApiHarness.start();
  });
  afterAll(() => api.stop());

  it('stands in no answer and in no event', async () => {
    const id = await api.createSource();
    const urls = [
      '/',
      '/docs',
      '/openapi.json',
      '/sources',
      `/sources/${id}`,
      '/nowhere',
      '/docs/..%2f',
      '/health/ready',
    ];
    for (const url of urls) {
      const { text, headers } = await api.call('GET', url, undefined, { headers: CLAIMED });
      expect([url, `${text} ${JSON.stringify(headers)}`.includes('evil.example')]).toEqual([
        url,
        false,
      ]);
    }
    const hook = await api.call('POST', `/sources/${id}/hooks`, undefined, { headers: CLAIMED });
    expect(hook.status).toBe(201);
    expect(hook.body['url']).toBe(`http://127.0.0.1:80/sources/${id}/hooks/push`);
    for await (const event of api.store.read(`source-${id}`)) {
      expect(JSON.stringify([event.data, event.metadata])).not.toMatch(
        /evil\.example|203\.0\.113\.99/,
      );
    }
  });
});

describe('a service whose PUBLIC_URL is https', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    const environment = { PUBLIC_URL: 'https://footnote.example.com', TRUST_PROXY: '10.0.0.0/8' };
    api = await ApiHarness.start({ environment });
  });
  afterAll(() => api.stop());

  it('has browsers use nothing else for a year, on every answer', async () => {
    for (const url of ['/sources', '/nothing', '/health/live', '/%zz', '/docs']) {
      const { headers } = await api.call('GET', url, undefined, { key: null });
      expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    }
  });

  it('names itself by it, whatever Host says, and believes no client that is not the named proxy', async () => {
    const { body } = await api.call<{ servers: unknown }>('GET', '/openapi.json', undefined, {
      headers: CLAIMED,
    });
    expect(body.servers).toEqual([{ url: 'https://footnote.example.com' }]);
    const source = { name: 'A', source_type: 'repo', url: 'https://example.com/a.git' };
    const made = await api.call<{ id: string }>('POST', '/sources', source, { headers: CLAIMED });
    for await (const event of api.store.read(`source-${made.body.id}`)) {
      expect(event.metadata.http?.ip).toBe('127.0.0.1');
    }
  });
});
