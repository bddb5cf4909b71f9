import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { NoEvidence, SearchResponse } from '#contracts';
import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { publish } from '#test/support/api/publish';

const DAY_MS = 86_400_000;
const CONTEXT =
  'def push_request_context(self):\n    """Binds the request context to the current thread."""\n    return self';

/** The answer without what changes from one moment to the next. */
function timeless(body: object): unknown {
  const fields = ['search_time_ms', 'freshness_days', 'avg_freshness_days'];
  return JSON.parse(
    JSON.stringify(body, (field, value: unknown) => (fields.includes(field) ? 0 : value)),
  );
}

describe('search', () => {
  let api: ApiHarness;
  let flask: string;
  let old: string;

  beforeAll(async () => {
    api = await ApiHarness.start();
    flask = await publish(
      api,
      [
        {
          path: 'src/ctx.py',
          content: CONTEXT,
          symbol: 'RequestContext.push',
          defs: ['push_request_context'],
          startLine: 40,
        },
        {
          path: 'src/json.py',
          content: 'def dumps(value):\n    return serialize(value)',
          symbol: 'dumps',
          defs: ['dumps'],
        },
      ],
      { tenant: api.tenantA },
    );
    old = await publish(
      api,
      [{ path: 'old/session.py', content: 'class OldSession:\n    """Keeps a session cookie."""' }],
      {
        tenant: api.tenantA,
        name: 'Old API Docs',
        syncedAt: new Date(Date.now() - 40 * DAY_MS),
      },
    );
    await publish(
      api,
      [{ path: 'secret.py', content: 'def canary_of_tenant_b(): return "push request context"' }],
      {
        tenant: api.tenantB,
        name: 'Theirs',
      },
    );
  });
  afterAll(() => api.stop());

  const search = (body: object, key?: string) =>
    api.call<SearchResponse & NoEvidence>(
      'POST',
      '/search',
      body,
      key === undefined ? {} : { key },
    );

  it('answers with the cited lines and every part of the response', async () => {
    const { status, body } = await search({ query: 'how is the request context pushed' });
    expect(status).toBe(200);
    const [best] = body.results;
    expect(best).toMatchObject({
      content: CONTEXT,
      is_stale: false,
      citation: {
        source_id: flask,
        source_name: 'Flask',
        path: 'src/ctx.py',
        symbol: 'RequestContext.push',
        start_line: 40,
        end_line: 42,
        version_ref: 'commit-1',
        language: 'python',
        chunk_type: 'code',
      },
    });
    expect(best?.score).toBeGreaterThan(0.3);
    expect(best?.freshness_days).toBeLessThan(1);
    expect(body).toMatchObject({
      total_results: body.results.length,
      total_tokens: body.results.reduce((sum, result) => sum + result.token_count, 0),
      sources_searched: 2,
      conflicts: [],
      query: 'how is the request context pushed',
      evidence_quality: { evidence_count: body.results.length, has_conflicts: false },
    });
    expect(body.search_time_ms).toBeGreaterThan(0);
  });

  it('answers GET as POST', async () => {
    const posted = await search({
      query: 'dumps',
      source_ids: [flask],
      top_k: 3,
      path_patterns: ['*.{py,pyi}'],
    });
    const got = await api.call<SearchResponse>(
      'GET',
      `/search?query=dumps&source_ids=${flask}&top_k=3&path_patterns=${encodeURIComponent('*.{py,pyi}')}`,
    );
    expect(got.status).toBe(200);
    expect(timeless(got.body)).toEqual(timeless(posted.body));
  });

  it('never shows a tenant what another has, nor lets it count', async () => {
    const mine = await search({ query: 'canary_of_tenant_b' });
    expect(JSON.stringify(mine.body.results ?? [])).not.toContain('canary');
    const theirs = await search({ query: 'canary_of_tenant_b' }, api.keyB);
    expect(theirs.body.results).toHaveLength(1);
    expect(theirs.body.sources_searched).toBe(1);
    const foreign = await search({ query: 'request context', source_ids: [flask] }, api.keyB);
    const unknown = await search({ query: 'request context', source_ids: [unknownId()] }, api.keyB);
    expect(foreign.body).toEqual(unknown.body);
  });

  it('gives a payload with suggestions when nothing is relevant', async () => {
    const { status, body } = await search({ query: 'zebra xylophone' });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('results');
    expect(body).toMatchObject({ query: 'zebra xylophone', sources_searched: 2 });
    expect(body.message).not.toBe('');
    expect(body.suggestions.length).toBeGreaterThan(0);
  });

  it('marks stale results and warns, or leaves them out', async () => {
    const { body } = await search({ query: 'session cookie' });
    expect(body.results[0]).toMatchObject({ is_stale: true, citation: { source_id: old } });
    expect(body.warnings).toEqual([
      'Results include sources stale beyond 30 day policy: Old API Docs',
    ]);
    expect(body.staleness_summary).toMatchObject({
      stale_sources: 1,
      stale_source_names: ['Old API Docs'],
    });
    const fresh = await search({ query: 'session cookie', include_stale: false });
    expect(JSON.stringify(fresh.body)).not.toContain('old/session.py');
    const nothing = await search({
      query: 'session cookie',
      include_stale: false,
      path_patterns: ['old/**'],
    });
    expect(nothing.body.suggestions.join()).toMatch(/stale: 1 of 2 sources/);
  });

  it('follows the policy at once', async () => {
    await api.call('PUT', '/policy', {
      enforce_refusal: true,
      min_evidence_count: 5,
      min_evidence_score: 0.99,
    });
    const { body } = await search({ query: 'session cookie' });
    expect(body).not.toHaveProperty('results');
    expect(body.suggestions).toHaveLength(2);
    expect(body.suggestions.join()).toContain('PUT /policy');
    await api.call('PUT', '/policy', { enforce_refusal: false, enforce_staleness: false });
    const calm = await search({ query: 'session cookie', include_stale: false });
    expect(calm.body).toMatchObject({ warnings: [], total_results: 1 });
    await api.call('PUT', '/policy', { source_priorities: { repo: 0 } });
    const removed = await search({ query: 'session cookie' });
    expect(removed.body).not.toHaveProperty('results');
    expect(removed.body.suggestions.join()).toMatch(/priority 0: 2 of 2 sources/);
    await api.call('POST', '/policy/reset');
    expect((await search({ query: 'session cookie' })).body.total_results).toBe(1);
  });

  it('keeps to the token budget and moves the last line when it cuts', async () => {
    const { body } = await search({ query: 'push_request_context', max_tokens: 12 });
    expect(body.total_results).toBe(1);
    expect(body.total_tokens).toBeLessThanOrEqual(12);
    const [only] = body.results;
    expect(CONTEXT.startsWith(only?.content ?? 'x')).toBe(true);
    expect(only?.citation.end_line).toBe(40);
  });

  it('filters by path and language', async () => {
    const none = await search({ query: 'dumps', languages: ['rust'] });
    expect(none.body).not.toHaveProperty('results');
    const some = await search({ query: 'dumps', languages: ['Python'], path_patterns: ['src/**'] });
    expect(some.body.results[0]?.citation.path).toBe('src/json.py');
    const bad = await search({ query: 'dumps', path_patterns: ['[a-z]*'] });
    expect([bad.status, (bad.body as unknown as { code: string }).code]).toEqual([
      400,
      'validation_failed',
    ]);
  });

  it('shows conflicts among the sources of the results', async () => {
    const description = { path: 'https://example.com/openapi.json', endpointKey: 'GET /pets' };
    const definition = { source_type: 'docs', docs_format: 'openapi' } as const;
    for (const [name, hash] of [
      ['Pets v1', 'aa'],
      ['Pets v2', 'bb'],
    ] as const) {
      const content = `# GET /pets\nLists all pets ${name}`;
      await publish(api, [{ ...description, content, schemaHash: hash }], {
        tenant: api.tenantB,
        name,
        definition,
      });
    }
    const { body } = await search({ query: 'list pets' }, api.keyB);
    expect(body.conflicts).toMatchObject([
      { endpoint_key: 'GET /pets', sources: ['Pets v1', 'Pets v2'], schema_hashes: ['aa', 'bb'] },
    ]);
    expect(body.evidence_quality.has_conflicts).toBe(true);
    expect(body.results[0]?.citation).not.toHaveProperty('start_line');
  });

  it('sees a new generation by one event, and nothing of a removed source', async () => {
    const sourceId = await publish(api, [{ path: 'a.py', content: 'def marmalade(): return 1' }], {
      tenant: api.tenantA,
    });
    expect((await search({ query: 'marmalade' })).body.results[0]?.citation.version_ref).toBe(
      'commit-1',
    );
    const next = [{ path: 'a.py', content: 'def marmalade(): return 2' }];
    await publish(api, next, { tenant: api.tenantA, sourceId, generation: 2 });
    const after = await search({ query: 'marmalade' });
    expect(after.body.results.map(({ content }) => content)).toEqual(['def marmalade(): return 2']);
    expect((await api.call('DELETE', `/sources/${sourceId}`)).status).toBe(204);
    expect((await search({ query: 'marmalade' })).body).not.toHaveProperty('results');
  });
});

describe('source content', () => {
  let api: ApiHarness;
  let id: string;

  beforeAll(async () => {
    api = await ApiHarness.start();
    id = await publish(
      api,
      [
        { path: 'a.py', content: 'one\ntwo', ordinal: 0, startLine: 1 },
        { path: 'a.py', content: 'five\nsix', ordinal: 1, startLine: 5 },
        { path: 'long.py', content: 'abc', ordinal: 0, startLine: 1 },
        { path: 'long.py', content: 'def\n2', ordinal: 1, startLine: 1 },
        {
          path: 'https://example.com/api',
          content: 'GET /pets\nLists pets',
          endpointKey: 'GET /pets',
        },
        {
          path: 'https://example.com/api',
          content: 'GET /zoo',
          ordinal: 1,
          endpointKey: 'GET /zoo',
        },
        { path: 'https://example.com/a#b', content: '# Guide', fragment: '#top' },
        {
          path: 'https://example.com/a#b',
          content: '## Install marmosets\n\nRun it.',
          ordinal: 1,
          fragment: '#install',
        },
        { path: 'https://example.com/a#b', content: 'More.', ordinal: 2, fragment: '#install' },
        { path: 'https://example.com/a#b', content: 'End.', ordinal: 3, fragment: '#end' },
        {
          path: 'big.py',
          content: Array.from({ length: 2_500 }, (_, at) => `line ${at + 1}`).join('\n'),
        },
      ],
      { tenant: api.tenantA },
    );
  });
  afterAll(() => api.stop());

  const read = (query: string) => api.call('GET', `/sources/${id}/content?${query}`);

  it('is the lines as indexed, blank ones between chunks included', async () => {
    expect(await read('path=a.py')).toMatchObject({
      status: 200,
      body: {
        source_id: id,
        path: 'a.py',
        version_ref: 'commit-1',
        start_line: 1,
        end_line: 6,
        total_lines: 6,
      },
    });
    expect((await read('path=a.py')).body['content']).toBe('one\ntwo\n\n\nfive\nsix');
    expect((await read('path=a.py&start_line=2&end_line=5')).body['content']).toBe('two\n\n\nfive');
    expect((await read('path=long.py')).body['content']).toBe('abcdef\n2');
  });

  it('of a document without lines is its chunks, a blank line between them', async () => {
    expect(await read('path=https%3A%2F%2Fexample.com%2Fapi')).toMatchObject({
      status: 200,
      body: {
        content: 'GET /pets\nLists pets\n\nGET /zoo',
        start_line: 1,
        end_line: 4,
        total_lines: 4,
      },
    });
  });

  it('of a cited passage is what stands there, and its lines those of the document', async () => {
    const found = await api.call<SearchResponse>('POST', '/search', {
      query: 'install marmosets',
      source_ids: [id],
    });
    const cited = found.body.results[0]?.citation.path ?? '';
    expect(cited).toBe('https://example.com/a#b#install');
    const path = encodeURIComponent(cited);
    const document = { path: cited, total_lines: 9 };
    expect((await read(`path=${path}`)).body).toMatchObject({
      ...document,
      content: '## Install marmosets\n\nRun it.\n\nMore.',
      start_line: 3,
      end_line: 7,
    });
    expect((await read(`path=${path}&start_line=8`)).body).toMatchObject({
      ...document,
      content: '\nEnd.',
    });
    expect(
      (await read(`path=${encodeURIComponent('https://example.com/a#b')}`)).body,
    ).toMatchObject({ end_line: 9 });
    expect((await read(`path=${encodeURIComponent('https://example.com/a#b#gone')}`)).status).toBe(
      404,
    );
    const filtered = { query: 'install marmosets', path_patterns: [cited], source_ids: [id] };
    expect((await api.call('POST', '/search', filtered)).body).not.toHaveProperty('results');
    const document_only = { ...filtered, path_patterns: ['https://example.com/a#b'] };
    expect((await api.call('POST', '/search', document_only)).body).toHaveProperty('results');
  });

  it('is at most 2,000 lines', async () => {
    expect((await read('path=big.py')).body).toMatchObject({
      start_line: 1,
      end_line: 2000,
      total_lines: 2500,
    });
    expect((await read('path=big.py&start_line=2400')).body).toMatchObject({
      start_line: 2400,
      end_line: 2500,
    });
    expect((await read('path=big.py&start_line=1&end_line=2001')).status).toBe(400);
    expect((await read('path=big.py&start_line=5&end_line=4')).status).toBe(400);
  });

  it('is 404 for what is not there', async () => {
    for (const query of ['path=b.py', 'path=a.py&start_line=7', 'path=../a.py']) {
      expect(await read(query)).toMatchObject({ status: 404, body: { code: 'content_not_found' } });
    }
    const pending = await api.createSource();
    expect((await api.call('GET', `/sources/${pending}/content?path=a`)).body['code']).toBe(
      'content_not_found',
    );
  });
});

describe('search: results', () => {
  let api: ApiHarness;
  beforeAll(async () => void (api = await ApiHarness.start()));
  afterAll(() => api.stop());

  it('names the best lines inside the cited range', async () => {
    const lines = Array.from({ length: 20 }, (_, at) => (at === 11 ? 'loquat = 1' : `x${at} = 1`));
    const source = await publish(
      api,
      [{ path: 'src/loquat.py', content: lines.join('\n'), startLine: 31 }],
      { tenant: api.tenantA, name: 'Lines' },
    );
    const { body } = await api.call<SearchResponse>('POST', '/search', {
      query: 'where is the loquat set',
      source_ids: [source],
    });
    expect(body.results.map(({ citation, best_lines }) => [citation.end_line, best_lines])).toEqual(
      [[50, { start_line: 42, end_line: 49 }]],
    );
  });

  it('shows shared content from the fresher source, which lists the others', async () => {
    // Several, for ids are in no order that a test could choose.
    const files = [1, 2, 3, 4, 5, 6].map((at) => ({
      path: `src/kumquat_${at}.py`,
      content: `def kumquat_${at}(): return "kumquat"`,
    }));
    const days = (count: number) => new Date(Date.now() - count * DAY_MS);
    const tenant = api.tenantA;
    const older = await publish(api, files, { tenant, name: 'Older', syncedAt: days(40) });
    const fresh = await publish(api, files, { tenant, name: 'Fresh', syncedAt: days(3) });
    const old = await publish(api, files, { tenant, name: 'Old', syncedAt: days(20) });
    const search = async (include: string[]) => {
      const { body } = await api.call<SearchResponse>('POST', '/search', {
        query: 'kumquat',
        source_ids: include,
      });
      return body.results.map(({ citation, also_at = [] }) => [
        citation.source_id,
        ...also_at.map(({ source_id }) => source_id).sort(),
      ]);
    };
    expect(await search([older, fresh, old])).toEqual(
      files.map(() => [fresh, ...[older, old].sort()]),
    );
    expect(await search([older, old])).toEqual(files.map(() => [old, older]));
    expect(await search([old])).toEqual(files.map(() => [old]));
  });
});
