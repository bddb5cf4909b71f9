import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { QuotaUsageView } from '#contracts/http/index';
import { listRegisteredSources } from '#read-model';
import { ApiHarness } from '#test/support/api/api-harness';
import { type HttpClient, httpClientOf } from '#test/support/api/http-client';
import { multipartBody } from '#test/support/api/multipart';
import { publish } from '#test/support/api/publish';

const BODY = { name: 'Flask', source_type: 'repo', url: 'https://example.com/flask.git' };

describe('the sources, chunks and bytes that a plan allows', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    const plans = {
      standard: { sources: { total: 5 }, chunks: { total: 50 }, bytes: { total: 1_000 } },
    };
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
    expect(refused[0]?.headers).toMatchObject({
      'ratelimit-limit': '5',
      'ratelimit-remaining': '0',
    });
    const again = await create({ 'idempotency-key': 'first' });
    expect([again.status, again.body.id]).toEqual([201, first.body.id]);
    expect(await totals(api.keyA)).toEqual([
      { metric: 'sources', window: 'total', limit: 5, used: 5, remaining: 0 },
      { metric: 'chunks', window: 'total', limit: 50, used: 0, remaining: 50 },
      { metric: 'bytes', window: 'total', limit: 1_000, used: 0, remaining: 1_000 },
    ]);
    expect((await create({}, api.keyB)).status).toBe(201);
  });

  it('refuse an upload too, and have room when a source is removed', async () => {
    const { contentType, body } = multipartBody([
      { name: 'file', fileName: 'a.pdf', value: '%PDF-1.4\n%%EOF\n' },
    ]);
    const upload = async () => {
      const headers = { authorization: `Bearer ${api.keyA}`, 'content-type': contentType };
      return (
        await api.app.inject({ method: 'POST', url: '/sources/upload', headers, payload: body })
      ).json<{
        code?: string;
      }>();
    };
    expect((await upload()).code).toBe('quota_exceeded');
    const { body: list } = await api.call<{ sources: { id: string }[] }>('GET', '/sources');
    expect((await api.call('DELETE', `/sources/${list.sources[0]?.id}`)).status).toBe(204);
    const deadline = Date.now() + 5_000;
    while ((await totals(api.keyA))[0]?.used !== 4 && Date.now() < deadline)
      await Promise.resolve();
    expect((await upload()).code).toBeUndefined();
    expect((await create()).status).toBe(429);
  });

  it('count live content, for every audience of its source', async () => {
    const tenant = api.tenantB;
    const documents = ['a', 'b', 'c'].map((name) => ({
      path: `${name}.py`,
      content: `${name} = 1`,
    }));
    await publish(api, documents, { tenant });
    await publish(api, documents, {
      tenant,
      audience: { kind: 'conversation', conversation_id: 'c1' },
    });
    expect((await totals(api.keyB)).map(({ used }) => used)).toEqual([2, 6, 0]);
  });

  describe('in bytes', () => {
    const UPLOAD_BYTES = 100;
    let full: ApiHarness;
    let http: HttpClient;
    beforeAll(async () => {
      full = await ApiHarness.start({
        environment: { QUOTA_PLANS: '{"standard":{"bytes":{"total":1000}}}' },
      });
      http = await httpClientOf(full);
    });
    afterAll(() => full.stop());

    const send = (method: 'get' | 'post' | 'delete', path: string, key = full.keyA) =>
      http.request[method](path).set('authorization', `Bearer ${key}`);
    let uploads = 0;
    const upload = (key: string) => {
      uploads += 1;
      const file = Buffer.from(`%PDF-1.4\n%${uploads}`.padEnd(UPLOAD_BYTES - 6) + '%%EOF\n');
      return send('post', '/sources/upload', key).attach('file', file, 'a.pdf');
    };
    const used = async (key: string) => {
      const answer = await send('get', '/quota/usage', key);
      return (answer.body as QuotaUsageView).usage.find(({ metric }) => metric === 'bytes');
    };

    it('take uploads up to the last byte, refuse what is beyond, and are free again after a removal', async () => {
      const tenant = full.tenantA;
      const source = await publish(full, [{ path: 'a.py', content: 'a = 1' }], {
        tenant,
        bytes: 800,
      });
      expect((await upload(full.keyA)).status).toBe(201);
      const last = await upload(full.keyA);
      expect(last.status).toBe(201);
      expect(await used(full.keyA)).toMatchObject({ limit: 1_000, used: 1_000, remaining: 0 });
      const refused = await upload(full.keyA);
      expect([refused.status, (refused.body as { code: string }).code]).toEqual([
        429,
        'quota_exceeded',
      ]);
      expect(refused.body).toMatchObject({
        details: [{ field: 'bytes', message: 'is limited to 1000 in all, of which 1000 are used' }],
      });
      expect((await send('post', '/sources').send(BODY)).status).toBe(429);
      expect((await upload(full.keyB)).status).toBe(201);
      expect(await used(full.keyB)).toMatchObject({ used: UPLOAD_BYTES });
      expect((await send('delete', `/sources/${source}`)).status).toBe(204);
      const deadline = Date.now() + 5_000;
      while ((await used(full.keyA))?.used !== 200 && Date.now() < deadline)
        await Promise.resolve();
      expect(await used(full.keyA)).toMatchObject({ used: 200 });
      expect((await upload(full.keyA)).status).toBe(201);
    });

    it('count SCIP indexes until they are removed, also after a sync', async () => {
      const tenant = full.tenantA;
      const documents = [{ path: 'a.py', content: 'a = 1' }];
      const before = (await used(full.keyA))?.used ?? 0;
      const sourceId = await publish(full, documents, { tenant, bytes: 100 });
      const stream = `source-${sourceId}` as const;
      for (const [name, digit] of [
        ['ts', 'a'],
        ['py', 'b'],
        ['ts', 'c'],
      ] as const) {
        const counts = { bytes: 10, documents: 1, occurrences: 1, symbols: 1 };
        const blob = digit.repeat(64);
        const scip = { name, blob, version_ref: 'commit-1', generation: 1, ...counts };
        const data = { source_id: sourceId, scip };
        await full.append(tenant, stream, { type: 'SourceScipUploaded', data });
      }
      expect(await used(full.keyA)).toMatchObject({ used: before + 130 });
      await publish(full, documents, { tenant, sourceId, generation: 2, bytes: 200 });
      expect(await used(full.keyA)).toMatchObject({ used: before + 230 });
      const data = { source_id: sourceId, names: ['ts'] };
      await full.append(tenant, stream, { type: 'SourceScipRemoved', data });
      expect(await used(full.keyA)).toMatchObject({ used: before + 210 });
      const { rows } = await full.readModel.asOf('sources', listRegisteredSources);
      expect(rows.find(({ source_id }) => source_id === sourceId)?.stored_bytes).toBe(210);
      await full.append(tenant, stream, { type: 'SourceRemoved', data: { source_id: sourceId } });
      expect(await used(full.keyA)).toMatchObject({ used: before });
    });

    it('count what conversations hold, and what was published again only once', async () => {
      const options = {
        tenant: full.tenantB,
        audience: { kind: 'conversation', conversation_id: 'c1' } as const,
      };
      const documents = [{ path: 'a.py', content: 'a = 1' }];
      const sourceId = await publish(full, documents, { ...options, bytes: 300 });
      await publish(full, documents, { ...options, sourceId, generation: 2, bytes: 400 });
      await publish(full, documents, { ...options, sourceId, generation: 3 });
      expect(await used(full.keyB)).toMatchObject({ used: UPLOAD_BYTES + 400 });
      const { rows: sources } = await full.readModel.asOf('sources', listRegisteredSources);
      expect(sources.find(({ source_id }) => source_id === sourceId)?.stored_bytes).toBe(400);
    });
  });
});
