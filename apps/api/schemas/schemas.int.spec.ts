import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { asyncApiDocument, eventSchema } from '#contracts';
import type { FeedEventPage } from '#contracts/http/index';
import { ApiHarness } from '#test/support/api/api-harness';

describe('schemas of events', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await ApiHarness.start();
  });
  afterAll(() => api.stop());

  const get = (path: string) => api.call('GET', path, undefined, { key: null });

  it('are served for each event of the feed of a tenant, without credentials', async () => {
    for (const key of [api.keyA, api.keyB]) {
      await api.call('PUT', '/policy', { staleness_budget_seconds: 60 }, { key });
      const { body } = await api.call<FeedEventPage>('GET', '/events', undefined, { key });
      expect(body.events.length).toBeGreaterThan(0);
      for (const { type, schemaversion, dataschema } of body.events) {
        const { status, headers, text } = await get(`/schemas/${type}/${schemaversion}`);
        const schema = JSON.parse(text) as Record<string, unknown>;
        expect([status, schema['$id']]).toEqual([200, dataschema]);
        expect(schema).toEqual(eventSchema({ type, version: schemaversion }));
        expect(headers).toMatchObject({
          'content-type': 'application/schema+json; charset=utf-8',
          'cache-control': 'public, max-age=3600',
        });
      }
    }
  });

  it.each(['PolicyUpdated/2', 'PolicyUpdated/0', 'PolicyUpdated/1.0', 'Unknown/1', 'toString/1'])(
    'has no schema %s',
    async (path) => {
      const { status, body, headers } = await get(`/schemas/${path}`);
      expect([status, body['code']]).toEqual([404, 'not_found']);
      expect(headers['cache-control']).toBe('no-store');
    },
  );

  it('come with an AsyncAPI description', async () => {
    const { status, body, headers } = await get('/asyncapi.json');
    expect([status, body['asyncapi']]).toEqual([200, '3.0.0']);
    expect(body).toEqual(JSON.parse(JSON.stringify(asyncApiDocument('0.1.0'))));
    expect(headers['cache-control']).toBe('public, max-age=3600');
  });
});
