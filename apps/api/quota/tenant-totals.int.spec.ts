import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { QuotaUsageView } from '#contracts/http/index';
import { ApiHarness } from '#test/support/api/api-harness';
import { multipartBody } from '#test/support/api/multipart';
import { publish } from '#test/support/api/publish';

const BODY = { name: 'Flask', source_type: 'repo', url: 'https://example.com/flask.git' };

describe('the sources and chunks that a plan allows', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    const plans = { standard: { sources: { total: 5 }, chunks: { total: 50 } } };
    api = await ApiHarness.start({ environment: { QUOTA_PLANS: JSON.stringify(plans) } });
  });
  afterAll(() => api.stop());

  const create = (headers: Record<string, string> = {}, key = api.keyA) =>
    api.call<{ id: string }>('POST', '/sources', BODY, { key, headers });
  const totals = async (key: string) => {
    const { body } = await api.call<QuotaUsageView>('GET', '/quota/usage', undefined, { key });
    return body.usage.filter(({ window }) => window === 'total');
  };

  it('are registered up to the limit, of many at once too, and a repeated request gets its first answer', async () => {
    const first = await create({ 'idempotency-key': 'first' });
    expect(first.status).toBe(201);
    const answers = await Promise.all(Array.from({ length: 20 }, () => create()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(16);
    expect(refused[0]?.body).toMatchObject({
      code: 'quota_exceeded',
      details: [{ field: 'sources', message: 'is limited to 5 in all, of which 5 are used' }],
    });
    expect(refused[0]?.headers).toMatchObject({ 'ratelimit-limit': '5', 'ratelimit-remaining': '0' });
    const again = await create({ 'idempotency-key': 'first' });
    expect([again.status, again.body.id]).toEqual([201, first.body.id]);
    expect(await totals(api.keyA)).toEqual([
      { metric: 'sources', window: 'total', limit: 5, used: 5, remaining: 0 },
      { metric: 'chunks', window: 'total', limit: 50, used: 0, remaining: 50 },
    ]);
    expect((await create({}, api.keyB)).status).toBe(201);
  });

  it('refuse an upload too, and have room when a source is removed', async () => {
    const { contentType, body } = multipartBody([{ name: 'file', fileName: 'a.pdf', value: '%PDF-1.4\n%%EOF\n' }]);
    const upload = async () => {
      const headers = { authorization: `Bearer ${api.keyA}`, 'content-type': contentType };
      return (await api.app.inject({ method: 'POST', url: '/sources/upload', headers, payload: body })).json<{
        code?: string;
      }>();
    };
    expect((await upload()).code).toBe('quota_exceeded');
    const { body: list } = await api.call<{ sources: { id: string }[] }>('GET', '/sources');
    expect((await api.call('DELETE', `/sources/${list.sources[0]?.id}`)).status).toBe(204);
    const deadline = Date.now() + 5_000;
    while ((await totals(api.keyA))[0]?.used !== 4 && Date.now() < deadline) await Promise.resolve();
    expect((await upload()).code).toBeUndefined();
    expect((await create()).status).toBe(429);
  });

  it('are told by what is live, of whatever audience its source is', async () => {
    const tenant = api.tenantB;
    const documents = ['a', 'b', 'c'].map((name) => ({ path: `${name}.py`, content: `${name} = 1` }));
    await publish(api, documents, { tenant });
    await publish(api, documents, { tenant, audience: { kind: 'conversation', conversation_id: 'c1' } });
    expect((await totals(api.keyB)).map(({ used }) => used)).toEqual([2, 6]);
  });
});
