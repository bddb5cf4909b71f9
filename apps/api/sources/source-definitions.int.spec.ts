import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { definitionBytes, MAX_DEFINITION_BYTES, type SourceDefinition } from '#contracts';
import { uuidv7 } from '#platform';
import { ApiHarness } from '#test/support/api/api-harness';
import { httpOf } from '#test/support/api/http-client';

const SECRET = 'q7Zr2Kp9xV4mT8wB1zR6nJ3s';
const SITE = 'https://docs.example.com';

interface Source {
  readonly id: string;
  readonly doc_urls?: readonly string[];
}

describe('the definition of a source', () => {
  let api: ApiHarness;
  let http: Awaited<ReturnType<typeof httpOf>>;
  beforeAll(async () => {
    api = await ApiHarness.start();
    http = await httpOf(api);
  });
  afterAll(() => api.stop());

  const site = (doc_urls: readonly string[]) => ({
    name: 'Guide',
    source_type: 'docs',
    url: SITE,
    doc_urls,
  });

  /** URLs with which the definition has exactly so many bytes. */
  function urlsOf(bytes: number): string[] {
    const urls = Array.from({ length: 40 }, (_, index) => `${SITE}/${index}/`);
    const definition: SourceDefinition = {
      source_type: 'docs',
      url: SITE,
      docs_format: 'html',
      doc_urls: urls,
      use_sitemap: false,
      include_patterns: [],
      exclude_patterns: [],
    };
    const missing = bytes - definitionBytes(definition);
    const each = Math.floor(missing / urls.length);
    return urls.map(
      (url, index) => url + 'x'.repeat(index === 0 ? missing - each * (urls.length - 1) : each),
    );
  }

  it('may have 64 KiB and not one byte more, when it is made and after a change', async () => {
    const most = await http
      .post('/sources')
      .send(site(urlsOf(MAX_DEFINITION_BYTES)))
      .expect(201);
    const refused = await http
      .post('/sources')
      .send(site(urlsOf(MAX_DEFINITION_BYTES + 1)))
      .expect(400);
    expect(refused.body).toMatchObject({ code: 'validation_failed' });
    expect(refused.text).toContain('at most 65536 bytes');
    expect(refused.text).toContain('got 65537');
    const { id } = most.body as { id: string };
    await http
      .patch(`/sources/${id}`)
      .send({ include_patterns: ['a'] })
      .expect(400);
    await http.patch(`/sources/${id}`).send({ name: 'Another' }).expect(200);
    const fewer = await http
      .patch(`/sources/${id}`)
      .send({ doc_urls: [SITE], include_patterns: ['a'] })
      .expect(200);
    expect(fewer.body).toMatchObject({ doc_urls: [SITE], doc_url_count: 1 });
  });

  it('keeps its pages out of lists, which count them', async () => {
    const urls = [`${SITE}/a`, `${SITE}/b`];
    const made = (await http.post('/sources').send(site(urls)).expect(201)).body as Source;
    expect(made).toMatchObject({ doc_urls: urls, doc_url_count: 2 });
    const read = await http.get(`/sources/${made.id}`).expect(200);
    expect(read.body).toEqual(made);
    const list = (await http.get('/sources?limit=1').expect(200)).body as {
      readonly sources: readonly Source[];
    };
    const listed = Object.entries(made).filter(([field]) => field !== 'doc_urls');
    expect(list.sources).toEqual([Object.fromEntries(listed)]);
  });

  it('of an older log works at its size, and is changed in what is not its definition', async () => {
    const sourceId = uuidv7();
    const definition = {
      source_type: 'docs' as const,
      url: SITE,
      include_patterns: [],
      exclude_patterns: [],
    };
    const doc_urls = Array.from(
      { length: 1_000 },
      (_, index) => `${SITE}/${index}/${'x'.repeat(900)}`,
    );
    await api.append(api.tenantA, `source-${sourceId}`, {
      type: 'SourceRegistered',
      data: {
        source_id: sourceId,
        name: 'Large',
        definition: { ...definition, docs_format: 'html', doc_urls },
      },
    });
    const read = await http.get(`/sources/${sourceId}`).expect(200);
    expect(read.body).toMatchObject({ doc_url_count: 1_000, doc_urls });
    await http.patch(`/sources/${sourceId}`).send({ name: 'Renamed' }).expect(200);
    const synced = await http.post(`/sources/${sourceId}/sync`).expect(200);
    for await (const { data } of api.store.read(
      `job-${(synced.body as { job_id: string }).job_id}`,
    )) {
      expect(JSON.stringify(data).length).toBeLessThan(1_000);
    }
  });

  it.each([
    ['a token', `${SITE}/openapi.json?token=${SECRET}`, 'the parameter \\"token\\"'],
    [
      'a presigned address',
      `${SITE}/a?X-Amz-Algorithm=AWS4&X-Amz-Signature=${SECRET}`,
      'X-Amz-Signature',
    ],
    ['a signature', `${SITE}/a?sv=2020&sig=${SECRET}`, 'sig'],
    ['a key', `${SITE}/a?api_key=${SECRET}`, 'api_key'],
    ['a fragment', `${SITE}/a#access_token=${SECRET}`, 'access_token'],
    ['a user', `https://me:${SECRET}@docs.example.com/`, 'carr'],
  ])(
    'rejects URLs with %s everywhere, names the place, and repeats no secret',
    async (_, url, named) => {
      const before = await api.eventCount();
      const docs = { name: 'Guide', source_type: 'docs', url: SITE };
      const bodies = [
        { ...docs, url },
        { ...docs, docs_format: 'openapi', url },
        { name: 'Paper', source_type: 'pdf', url },
        { name: 'Code', source_type: 'repo', url },
        { ...docs, doc_urls: [SITE, url] },
        { ...docs, include_patterns: [url] },
        { ...docs, exclude_patterns: [url] },
      ];
      for (const body of bodies) {
        const answer = await http.post('/sources').send(body).expect(400);
        if (body.source_type !== 'repo') expect(answer.text).toContain(named);
        expect(answer.text).not.toContain(SECRET);
      }
      expect(await api.eventCount()).toBe(before);
      const { id } = (await http.post('/sources').send(docs).expect(201)).body as Source;
      for (const body of [{ url }, { doc_urls: [url] }, { include_patterns: [url] }]) {
        const answer = await http.patch(`/sources/${id}`).send(body).expect(400);
        expect(answer.text).not.toContain(SECRET);
      }
    },
  );

  it('of an older log shows none of its secrets, and keeps working', async () => {
    const [source_id, job_id] = [uuidv7(), uuidv7()];
    const url = `${SITE}/a?token=${SECRET}`;
    const definition = {
      source_type: 'docs' as const,
      url,
      include_patterns: [],
      exclude_patterns: [],
    };
    const data = {
      source_id,
      name: 'Old',
      definition: { ...definition, docs_format: 'html' as const, doc_urls: [url] },
    };
    await api.append(api.tenantA, `source-${source_id}`, { type: 'SourceRegistered', data });
    await api.append(api.tenantA, `source-${source_id}`, {
      type: 'SourceSyncRequested',
      data: { source_id, job_id },
    });
    const terms = {
      job_id,
      source_id,
      url,
      source_revision: 0,
      generation: 1,
      base: null,
      max_retries: 3,
    };
    const error_details = { url, [url]: 500 };
    await api.append(
      api.tenantA,
      `job-${job_id}`,
      { type: 'JobRequested', data: terms },
      {
        type: 'JobFailed',
        data: { job_id, source_id, error_message: `${url} answered 500`, error_details },
      },
    );
    const renamed = await http
      .patch(`/sources/${source_id}`)
      .send({ name: 'Older', use_sitemap: true })
      .expect(200);
    const answers = [
      renamed,
      await http.get(`/sources/${source_id}`).expect(200),
      await http.get('/sources?status=error').expect(200),
      await http.get(`/jobs/${job_id}`).expect(200),
      await http.get(`/jobs?source_id=${source_id}`).expect(200),
      await http.get(`/jobs/${job_id}/stream`).expect(200),
    ];
    for (const { text } of answers) {
      expect(text).not.toContain(SECRET);
      expect(text).toContain('token=redacted');
    }
  });
});
