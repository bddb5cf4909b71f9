import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { SearchResponse } from '#contracts';
import { searchEveryWay } from '#test/support/search-every-way';
import { TwoTenantService } from '#test/support/two-tenants';
import { WebSite } from '#test/support/web-site';

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const USER = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, email: { type: 'string' } },
};

function users(version: string, idType: string, user: object) {
  return {
    openapi: '3.0.3',
    info: { title: 'Users', version },
    paths: {
      '/users/{id}': {
        get: {
          operationId: 'getUser',
          summary: `Finds a user, as version ${version} does`,
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: idType } }],
          responses: {
            200: { description: 'The user', ...json({ $ref: '#/components/schemas/User' }) },
          },
        },
        delete: {
          operationId: 'deleteUser',
          summary: 'Removes a user',
          responses: { 204: { description: 'Gone' } },
        },
      },
      '/teams': {
        get: { summary: 'Lists teams of users', responses: { 200: { description: 'Teams' } } },
      },
    },
    components: { schemas: { User: user } },
  };
}

describe('OpenAPI specifications', () => {
  let service: TwoTenantService;
  let site: WebSite;
  let first: string;
  const one = users('1.0', 'integer', USER);
  const two = users('2.0', 'string', {
    ...USER,
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
  });

  beforeAll(async () => {
    service = await TwoTenantService.start({ ALLOW_PRIVATE_NETWORKS: 'true' });
    site = await WebSite.start({
      '/v1.json': JSON.stringify(one),
      '/v2.json': JSON.stringify(two),
    });
    first = await registered('Users 1', '/v1.json');
    await registered('Users 2', '/v2.json');
  }, 180_000);
  afterAll(async () => {
    await site.stop();
    await service.dispose();
  });

  async function registered(name: string, path: string, more: object = {}): Promise<string> {
    const body = {
      name,
      url: site.url(path),
      source_type: 'docs',
      docs_format: 'openapi',
      ...more,
    };
    const { id } = await service.first.expect<{ id: string }>('POST', '/sources', body);
    await synced(id);
    return id;
  }
  async function synced(id: string) {
    const job = await service.first.finished(await service.first.sync(id));
    expect(job).toMatchObject({ status: 'completed', error_message: null });
    return job;
  }
  const search = (query: string, fields: object = {}): Promise<SearchResponse> =>
    searchEveryWay(service.first, { query, ...fields });

  it('are cited by their URL, operation and version', async () => {
    const { results } = await search('getUser', { source_ids: [first] });
    expect(results[0]?.citation).toMatchObject({
      path: site.url('/v1.json'),
      symbol: 'getUser',
      version_ref: '1.0',
      language: 'openapi',
      chunk_type: 'openapi',
    });
    expect(results[0]?.citation).not.toHaveProperty('start_line');
    const filtered = await search('getUser', { path_patterns: [site.url('/v2.json')] });
    expect(new Set(filtered.results.map(({ citation }) => citation.source_name))).toEqual(
      new Set(['Users 2']),
    );
  });

  it.each([
    ['GET /users/{id}', 'getUser'],
    ['get /users/:userId', 'getUser'],
    ['DELETE /users/42', 'deleteUser'],
    ['deleteUser', 'deleteUser'],
    ['/teams', 'GET /teams'],
    ['what does GET /teams return?', 'GET /teams'],
  ])('are found by %s', async (query, symbol) => {
    expect((await search(query)).results[0]?.citation.symbol).toBe(symbol);
  });

  it('conflict where they describe an endpoint differently, in fields that the answer names', async () => {
    const { conflicts, evidence_quality: quality } = await search('GET /users/{id}');
    const [conflict, ...others] = conflicts;
    expect(others).toEqual([]);
    expect(quality.has_conflicts).toBe(true);
    expect(conflict).toMatchObject({
      endpoint_key: 'GET /users/{id}',
      sources: ['Users 1', 'Users 2'],
    });
    expect(conflict?.schema_hashes).toHaveLength(2);
    expect(conflict?.description).toBe(
      'GET /users/{id} is described with 2 different schemas by Users 1, Users 2. Users 1 and Users 2 differ in ' +
        'parameter `id` (Users 1: path integer, required; Users 2: path string, required), ' +
        'response 200 `email` (only in Users 1), response 200 `name` (only in Users 2).',
    );
    expect((await search('GET /teams', { top_k: 1 })).conflicts).toEqual([]);
  });

  it('show the passage of a citation', async () => {
    const { results } = await search('getUser', { source_ids: [first] });
    const { path, symbol } = results[0]?.citation ?? {};
    const query = new URLSearchParams({ path: path ?? '', symbol: symbol ?? '' });
    const content = (of: URLSearchParams) =>
      service.first.expect<{ content: string; version_ref: string }>(
        'GET',
        `/sources/${first}/content?${of.toString()}`,
      );
    expect(await content(query)).toMatchObject({
      content: results[0]?.content,
      version_ref: '1.0',
      language: 'openapi',
    });
    query.delete('symbol');
    expect((await content(query)).content).toMatch(/^# Users\nVersion 1\.0\. /);
    query.set('symbol', 'nobody');
    expect(
      (await service.first.call('GET', `/sources/${first}/content?${query.toString()}`)).status,
    ).toBe(404);
  });

  it('are synced again by what changed in them', async () => {
    site.seen.length = 0;
    expect(await synced(first)).toMatchObject({
      files_processed: 0,
      chunks_created: 0,
      chunks_updated: 0,
      chunks_deleted: 0,
    });
    expect(site.seen.map(({ status }) => status)).toEqual([304]);
    const changed = structuredClone(one);
    changed.paths['/users/{id}'].delete.summary = 'Removes a user for good';
    site.put({ '/v1.json': JSON.stringify(changed) });
    expect(await synced(first)).toMatchObject({
      chunks_created: 0,
      chunks_updated: 1,
      chunks_deleted: 0,
    });
    expect((await search('removes for good')).results[0]?.content).toContain('for good');
  });
});
