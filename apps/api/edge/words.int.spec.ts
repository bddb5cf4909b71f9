import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { publish } from '#test/support/api/publish';

interface Problem {
  readonly error: string;
  readonly code: string;
  readonly details?: readonly { readonly field: string; readonly message: string }[];
}

describe('the words of an answer', () => {
  let api: ApiHarness;
  let source: string;

  beforeAll(async () => {
    api = await ApiHarness.start();
    const documents = [
      { path: 'a.py', content: 'the parser reads what is there, then it returns the tree' },
      { path: 'b.py', content: 'def then(): pass', defs: ['then'], symbol: 'then' },
    ];
    source = await publish(api, documents, { tenant: api.tenantA });
  });
  afterAll(() => api.stop());

  const problems = async (method: string, path: string, body?: unknown) => {
    const { status, body: answer } = await api.call<Problem>(method, path, body);
    expect([status, answer.code]).toEqual([400, 'validation_failed']);
    return (answer.details ?? []).map(({ field, message }) => `${field} ${message}`);
  };

  it('say that a missing field is required, and nothing else of it', async () => {
    const missing = ['name is required', 'source_type is required', 'url is required'];
    expect(await problems('POST', '/sources', {})).toEqual(missing);
    expect(await problems('POST', '/search', {})).toEqual(['query is required']);
    expect(await problems('POST', '/keys', { scopes: ['read'] })).toEqual(['name is required']);
    expect(await problems('GET', `/sources/${source}/content`)).toEqual(['path is required']);
    expect(await problems('POST', '/search', { query: null })).toEqual(['query must be a string']);
  });

  it('say of a read-only field that it cannot be changed, of any other that it is not known', async () => {
    const sent = { source_type: 'docs', status: 'synced', surprise: 1 };
    expect((await problems('PATCH', `/sources/${source}`, sent)).sort()).toEqual([
      'source_type cannot be changed',
      'status cannot be changed',
      'surprise is not a known field',
    ]);
    const { body: view } = await api.call<object>('GET', `/sources/${source}`);
    const fields = Object.keys(view).filter((field) => !['name', 'url', 'branch'].includes(field));
    const reported = await problems('PATCH', `/sources/${source}`, { ...view, name: 'Flask' });
    expect(reported.filter((problem) => problem.endsWith('not a known field'))).toEqual([]);
    const changeable = ['include_patterns', 'exclude_patterns', 'sync_interval_seconds'];
    expect(reported).toHaveLength(fields.filter((field) => !changeable.includes(field)).length);
    expect(await problems('PUT', '/policy', { staleness_budget_days: 3 })).toEqual([
      'staleness_budget_days cannot be changed',
    ]);
  });

  it('name the limit of a body that is over it', async () => {
    const { status, body } = await api.call<Problem>('POST', '/search', {
      query: 'x'.repeat(1_100_000),
    });
    expect([status, body.error]).toEqual([413, 'The body is over the limit of 1,048,576 bytes']);
  });

  it('lead from the root to the documentation, without credentials', async () => {
    const { status, body } = await api.call<Record<'docs' | 'openapi' | 'asyncapi', string>>(
      'GET',
      '/',
      undefined,
      { key: null },
    );
    expect([status, body]).toEqual([
      200,
      {
        service: 'footnote',
        docs: '/docs',
        openapi: '/openapi.json',
        asyncapi: '/asyncapi.json',
      },
    ]);
    for (const path of [body.docs, body.openapi, body.asyncapi]) {
      expect([path, (await api.call('GET', path, undefined, { key: null })).status]).toEqual([
        path,
        200,
      ]);
    }
  });

  it.each(['x', '-1', '1.5', '', '1, 2', '9'.repeat(16), '٣'])(
    'refuse to resume a stream from what no stream gave: "%s"',
    async (id) => {
      const headers = { 'last-event-id': Buffer.from(id).toString('latin1') };
      const answer = await api.call<Problem>('GET', `/jobs/${unknownId()}/stream`, undefined, {
        headers,
      });
      expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    },
  );

  it.each(['the', 'The', 'what is it', 'how'])(
    'find nothing for stop words alone: %s',
    async (query) => {
      for (const path of ['/search', '/search/rmh']) {
        const { status, body } = await api.call<object>('POST', path, { query });
        expect(status).toBe(200);
        expect(body).not.toHaveProperty('results');
        expect(body).toHaveProperty('suggestions');
      }
    },
  );

  it('find a symbol that is named by a stop word', async () => {
    const { body } = await api.call<{ results: { citation: { path: string } }[] }>(
      'POST',
      '/search',
      {
        query: 'then',
      },
    );
    expect(body.results.map(({ citation }) => citation.path)).toEqual(['b.py']);
  });
});
