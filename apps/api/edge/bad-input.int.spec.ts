import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ERROR_CATALOGUE } from '#contracts';
import { type ApiAnswer, ApiHarness, unknownId } from '#test/support/api/api-harness';
import { publish } from '#test/support/api/publish';

const DEADLINE_MS = 5_000;

/** Values that fit no field of any body. */
const WRONG_VALUES: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['an array', []],
  ['an object', {}],
  ['a nested object', { length: 1e9, toString: 1 }],
  ['a fraction', 1.5],
  ['a negative number', -1],
  ['a huge number', 1e300],
  ['NUL', 'a\u0000b'],
  ['a lone surrogate', 'a\ud800b'],
  ['blank text', '  \u200b '],
  ['an empty text', ''],
  ['very long text', 'x'.repeat(100_000)],
  ['an array of wrong things', [null, {}, [], 'a\u0000']],
  ['a very long array', Array.from({ length: 20_000 }, () => ({}))],
];

/** Bodies that no endpoint takes, whatever its fields. */
const WRONG_BODIES: readonly (readonly [string, string])[] = [
  ['not JSON', '{"name":'],
  ['a word', 'hello'],
  ['null', 'null'],
  ['an array', '[]'],
  ['a text', '"x"'],
  ['a number', '5'],
  ['deep arrays', `{"name":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
  ['deep objects', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
  ['400,000 levels', '['.repeat(400_000)],
  ['a duplicate key', '{"name":"a","na\\u006de":"b"}'],
  ['__proto__', '{"__proto__":{"admin":true}}'],
  ['constructor', '{"constructor":{"prototype":{"admin":true}}}'],
  ['toString', '{"toString":1}'],
  ['an unknown field', '{"surprise":1}'],
  ['an unknown field with NUL', '{"surp\\u0000rise":1}'],
];

const REPO = { name: 'Flask', source_type: 'repo', url: 'https://example.com/x.git' };

/** Every endpoint that takes a body, with a body that fits and its fields. */
const BODIES = [
  {
    method: 'POST',
    url: '/sources',
    fits: REPO,
    fields: [
      'name',
      'source_type',
      'url',
      'branch',
      'docs_format',
      'doc_urls',
      'use_sitemap',
      'doc_version_label',
      'include_patterns',
      'exclude_patterns',
    ],
  },
  {
    method: 'PATCH',
    url: '/sources/:source',
    fits: {},
    fields: [
      'name',
      'url',
      'branch',
      'docs_format',
      'doc_urls',
      'use_sitemap',
      'doc_version_label',
      'include_patterns',
      'exclude_patterns',
    ],
  },
  {
    method: 'POST',
    url: '/search',
    fits: { query: 'x' },
    fields: [
      'query',
      'source_ids',
      'max_tokens',
      'top_k',
      'include_stale',
      'path_patterns',
      'languages',
    ],
  },
  {
    method: 'POST',
    url: '/search/rmh',
    fits: { query: 'x' },
    fields: [
      'query',
      'source_ids',
      'max_tokens',
      'top_k',
      'include_stale',
      'path_patterns',
      'languages',
      'max_rounds',
      'neighbor_line_radius',
      'expand_neighbors',
      'secondary_search',
    ],
  },
  { method: 'POST', url: '/keys', fits: { name: 'x' }, fields: ['name', 'expires_at', 'scopes'] },
  {
    method: 'PUT',
    url: '/policy',
    fits: {},
    fields: [
      'staleness_budget_seconds',
      'source_priorities',
      'min_evidence_count',
      'min_evidence_score',
      'enforce_staleness',
      'enforce_refusal',
    ],
  },
] as const;

/** Values above that do fit a field. */
const FITTING = new Set([
  'include_patterns: an array',
  'exclude_patterns: an array',
  'doc_urls: an array',
  'source_ids: an array',
  'path_patterns: an array',
  'languages: an array',
  'source_priorities: an object',
]);

const QUERIES = [
  '/sources?skip=-1',
  '/sources?skip=1e3',
  '/sources?skip=0x10',
  '/sources?skip=',
  '/sources?skip=%20 5',
  '/sources?skip=99999999999999999999',
  '/sources?limit=0',
  '/sources?limit=101',
  '/sources?limit=true',
  '/sources?limit=1&limit=2',
  '/sources?limit[]=1',
  '/sources?status=gone',
  '/sources?source_type=git',
  '/sources?as_of=now',
  '/sources?__proto__=1',
  '/sources?constructor=1',
  '/sources?toString=x',
  '/jobs?source_id=nonsense',
  '/jobs?source_id=',
  '/jobs?status=%00',
  '/jobs?limit=1.5',
  '/jobs?skip=NaN',
  '/jobs?x',
  '/search',
  '/search?query=',
  '/search?query=%20%20',
  '/search?query=%00',
  '/search?query=a&top_k=51',
  '/search?query=a&top_k=0',
  '/search?query=a&max_tokens=32001',
  '/search?query=a&include_stale=1',
  '/search?query=a&include_stale=TRUE',
  '/search?query=a&source_ids=x',
  '/search?query=a&query=b',
  '/search?query=a&path_patterns=[a]',
  `/search?query=${'x'.repeat(2_001)}`,
  '/search?q=a',
  '/search?query=a&languages=',
  '/keys?limit=-5',
  '/keys?name=x',
  '/policy?as_of=1',
  '/sources/:source?x=1',
  '/jobs/:job?x=1',
  '/sources/:source/content',
  '/sources/:source/content?path=',
  '/sources/:source/content?path=a%00b',
  '/sources/:source/content?path=a.py&start_line=0',
  '/sources/:source/content?path=a.py&start_line=x',
  '/sources/:source/content?path=a.py&end_line=-1',
  '/sources/:source/content?path=a.py&line=1',
] as const;

describe('bad input', () => {
  let api: ApiHarness;
  let source: string;
  let job: string;
  let before: number;

  beforeAll(async () => {
    api = await ApiHarness.start();
    source = await publish(api, [{ path: 'a.py', content: 'def a(): pass' }], {
      tenant: api.tenantA,
    });
    const { body } = await api.call<{ jobs: { id: string }[] }>('GET', '/jobs');
    job = body.jobs[0]?.id ?? '';
    before = await api.eventCount();
  });
  afterAll(async () => {
    const after = await api.eventCount();
    await api.stop();
    expect(after).toBe(before);
  });

  const filled = (url: string) => url.replace(':source', source).replace(':job', job);

  async function refused(answering: Promise<ApiAnswer>, label: string): Promise<ApiAnswer> {
    const began = performance.now();
    const answer = await answering;
    expect({ label, took: performance.now() - began < DEADLINE_MS }).toEqual({ label, took: true });
    expect([label, answer.status, answer.text.slice(0, 200)]).toEqual([
      label,
      expect.any(Number),
      expect.any(String),
    ]);
    expect({
      label,
      status: answer.status,
      refused: answer.status >= 400 && answer.status < 500,
    }).toMatchObject({
      label,
      refused: true,
    });
    const { error, code, details, request_id, ...rest } = answer.body;
    expect({ label, rest }).toEqual({ label, rest: {} });
    expect({
      label,
      status: ERROR_CATALOGUE[code as keyof typeof ERROR_CATALOGUE]?.status,
    }).toEqual({
      label,
      status: answer.status,
    });
    expect(typeof error === 'string' && error.length > 0 && error.length < 1_000).toBe(true);
    expect(answer.headers['x-request-id']).toBe(request_id);
    if (code === 'validation_failed')
      expect(Array.isArray(details) && details.length > 0).toBe(true);
    return answer;
  }

  describe.each(BODIES)('$method $url', ({ method, url, fits, fields }) => {
    it.each(WRONG_BODIES)('refuses %s as a body', async (label, text) => {
      expect((await refused(api.call(method, filled(url), text), label)).status).toBe(400);
    });

    it.each(fields.map((field) => [field]))('refuses what does not fit %s', async (field) => {
      for (const [label, value] of WRONG_VALUES) {
        if (FITTING.has(`${field}: ${label}`)) continue;
        const answer = await refused(
          api.call(method, filled(url), { ...fits, [field]: value }),
          `${field}: ${label}`,
        );
        expect([label, answer.status]).toEqual([label, 400]);
      }
    });

    it('refuses a missing body, another content type, another charset and a body over the limit', async () => {
      const headers = (type: string) => ({ headers: { 'content-type': type } });
      expect((await refused(api.call(method, filled(url)), 'missing')).status).toBe(400);
      expect(
        (await refused(api.call(method, filled(url), '', headers('application/json')), 'empty'))
          .status,
      ).toBe(400);
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/xml',
        'nonsense',
        'application/json; charset=utf-16',
      ]) {
        expect(
          (await refused(api.call(method, filled(url), 'a=b', headers(type)), type)).status,
        ).toBe(415);
      }
      const gzip = { headers: { 'content-encoding': 'gzip' } };
      expect((await refused(api.call(method, filled(url), '{}', gzip), 'gzip')).status).toBe(415);
      const big = JSON.stringify({ ...fits, name: 'x'.repeat(1_100_000) });
      expect((await refused(api.call(method, filled(url), big), 'big')).status).toBe(413);
    });

    it('asks for credentials', async () => {
      expect(
        (await refused(api.call(method, filled(url), fits, { key: null }), 'no key')).status,
      ).toBe(401);
    });
  });

  it.each(QUERIES.map((url) => [url.slice(0, 80), url]))('GET %s is refused', async (_, url) => {
    const answer = await refused(api.call('GET', filled(url)), url.slice(0, 80));
    expect(answer.status).toBe(400);
  });

  it.each([
    ['POST', '/sources/:source/sync'],
    ['POST', '/jobs/:job/cancel'],
    ['POST', '/policy/reset'],
    ['DELETE', '/sources/:source'],
    ['DELETE', '/keys/00000000-0000-4000-8000-000000000000'],
  ])('%s %s takes no body and no parameter', async (method, url) => {
    expect((await refused(api.call(method, filled(url), { force: true }), 'body')).status).toBe(
      400,
    );
    expect((await refused(api.call(method, filled(url), '[]'), 'array')).status).toBe(400);
    expect((await refused(api.call(method, filled(url), 'null'), 'null')).status).toBe(400);
    expect((await refused(api.call(method, `${filled(url)}?force=1`), 'parameter')).status).toBe(
      400,
    );
  });

  it('answers malformed, foreign and unknown ids in a path with 404', async () => {
    for (const id of [
      'x',
      unknownId(),
      source.toUpperCase(),
      `${source}%00`,
      '..%2f..%2fetc',
      'x'.repeat(3_000),
      '%F0%9F%92%A9',
      "'; DROP TABLE sources; --",
    ]) {
      for (const [method, url] of [
        ['GET', '/sources/'],
        ['DELETE', '/sources/'],
        ['GET', '/jobs/'],
        ['DELETE', '/keys/'],
      ] as const) {
        const answer = await refused(
          api.call(method, `${url}${id.includes(' ') ? encodeURIComponent(id) : id}`, undefined, {
            key: api.keyB,
          }),
          id.slice(0, 40),
        );
        expect([id.slice(0, 40), answer.status]).toEqual([id.slice(0, 40), 404]);
      }
    }
  });

  it('answers unknown routes and methods with 404', async () => {
    for (const [method, url] of [
      ['GET', '/nothing'],
      ['PUT', '/sources'],
      ['POST', '/health/live'],
      ['PATCH', '/policy'],
      ['DELETE', '/jobs/x'],
      ['GET', '/sources/'],
      ['OPTIONS', '/sources'],
      ['GET', '//'],
      ['GET', '/SOURCES'],
    ] as const) {
      const answer = await refused(api.call(method, url), `${method} ${url}`);
      expect([method, url, answer.status]).toEqual([method, url, 404]);
    }
  });

  it('refuses broken escapes and headers', async () => {
    expect((await refused(api.call('GET', '/sources/%zz'), '%zz')).status).toBe(400);
    expect((await refused(api.call('GET', '/sources?status=%zz'), '?%zz')).status).toBe(400);
    for (const key of ['', 'a b', 'x'.repeat(256), 'ü']) {
      const headers = { 'idempotency-key': key };
      expect(
        (await refused(api.call('POST', '/sources', REPO, { headers }), `key ${key.slice(0, 9)}`))
          .status,
      ).toBe(400);
    }
    const ifMatch = { headers: { 'if-match': 'yesterday' } };
    expect((await refused(api.call('PUT', '/policy', {}, ifMatch), 'if-match')).status).toBe(400);
  });
});
