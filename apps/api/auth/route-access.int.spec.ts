import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { openApiDocument } from '#apps/api/openapi/document';
import { KEY_SCOPES, type KeyScope } from '#contracts';
import { newApiKeySecret, uuidv7 } from '#platform';
import { ApiHarness, unknownId, type ApiAnswer } from '#test/support/api/api-harness';
import { multipartBody } from '#test/support/api/multipart';
import { publish } from '#test/support/api/publish';
import { pathOf, routesOf } from '#test/support/api/routes';

/** Who may call a route: `hook` is whoever signed the request, `owner` an API key with every scope. */
type Access = 'public' | 'hook' | KeyScope | 'owner';

/** Every route of the API with who may call it: one that is missing here fails the test. */
const ROUTES: Readonly<Record<string, Access>> = {
  'GET /': 'public',
  'GET /docs': 'public',
  'GET /docs/': 'public',
  'GET /docs/*': 'public',
  'GET /docs/LICENSE': 'public',
  'GET /docs/docs/swagger-ui-init.js': 'public',
  'GET /docs/index.html': 'public',
  'GET /docs/swagger-ui-init.js': 'public',
  'GET /health/live': 'public',
  'GET /health/ready': 'public',
  'GET /metrics': 'public',
  'GET /openapi.json': 'public',
  'POST /sources/:source_id/hooks/push': 'hook',
  'DELETE /keys/:key_id': 'write',
  'DELETE /sources/:source_id': 'write',
  'DELETE /sources/:source_id/hooks': 'write',
  'DELETE /tenant': 'owner',
  'GET /jobs': 'read',
  'GET /jobs/:job_id': 'read',
  'GET /jobs/:job_id/stream': 'read',
  'GET /keys': 'read',
  'GET /policy': 'read',
  'GET /receipts/:receipt_id': 'read',
  'GET /search': 'read',
  'GET /sources': 'read',
  'GET /sources/:source_id': 'read',
  'GET /sources/:source_id/content': 'read',
  'PATCH /sources/:source_id': 'write',
  'POST /jobs/:job_id/cancel': 'write',
  'POST /keys': 'write',
  'POST /policy/reset': 'write',
  'POST /receipts/:receipt_id/replay': 'read',
  'POST /search': 'read',
  'POST /search/rmh': 'read',
  'POST /sources': 'write',
  'POST /sources/:source_id/hooks': 'write',
  'POST /sources/:source_id/sync': 'write',
  'POST /sources/upload': 'write',
  'PUT /policy': 'write',
};
const OPEN = Object.keys(ROUTES).filter((route) => ROUTES[route] === 'public');
const CLOSED = Object.keys(ROUTES).filter((route) => !['public', 'hook'].includes(ROUTES[route] ?? ''));
const WITH_ID = CLOSED.filter((route) => route.includes(':'));

describe('every route', () => {
  let api: ApiHarness;
  /** Ids of tenant A by the name of their parameter. */
  let ids: Record<string, string>;
  /** Headers that no route takes, by what is wrong with them. */
  let refused: Readonly<Record<string, Record<string, string>>>;
  const lacking = new Map<KeyScope, string>();

  beforeAll(async () => {
    api = await ApiHarness.start();
    const source_id = await publish(api, [{ path: 'a.ts', content: 'export const answer = 42;' }], {
      tenant: api.tenantA,
    });
    const { headers } = await api.call('POST', '/search', { query: 'answer' });
    const { body } = await api.call<{ jobs: { id: string }[] }>('GET', '/jobs');
    const { body: key } = await api.call<{ id: string }>('POST', '/keys', { name: 'listed' });
    ids = { source_id, job_id: body.jobs[0]?.id ?? '', receipt_id: String(headers['x-receipt-id']), key_id: key.id };
    for (const scope of KEY_SCOPES) {
      lacking.set(scope, await keyOf(api.tenantA, { scopes: KEY_SCOPES.filter((each) => each !== scope) }));
    }
    const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
    refused = {
      'no credential': {},
      'an empty one': { authorization: 'Bearer ' },
      'another scheme': { authorization: `Basic ${Buffer.from(api.keyA).toString('base64')}` },
      'a malformed one': bearer('fnt_short'),
      'the key in another header': { 'x-auth-token': api.keyA },
      'two that differ': { ...bearer(api.keyA), 'x-api-key': api.keyB },
      'a forged one': bearer(newApiKeySecret().secret),
      'one that differs by a letter': bearer(`${api.keyA.slice(0, -1)}${api.keyA.endsWith('a') ? 'b' : 'a'}`),
      'an expired one': bearer(await keyOf(api.tenantA, { expiresAt: '2020-01-01T00:00:00.000Z' })),
      'a revoked one': bearer(await keyOf(api.tenantA, { revoked: true })),
      'one of an erased tenant': bearer(await keyOfErased()),
    };
  });
  afterAll(() => api.stop());

  async function keyOf(
    tenant: string,
    { scopes = [...KEY_SCOPES], expiresAt = null, revoked = false }: KeyOptions,
  ): Promise<string> {
    const { secret } = newApiKeySecret();
    const key_id = await api.issueKey(tenant, secret, [...scopes], expiresAt);
    if (revoked) await api.append(tenant, `apikey-${key_id}`, { type: 'ApiKeyRevoked', data: { key_id } });
    return secret;
  }

  async function keyOfErased(): Promise<string> {
    const tenant_id = uuidv7();
    await api.append(tenant_id, `tenant-${tenant_id}`, { type: 'TenantCreated', data: { tenant_id, name: 'Erased' } });
    const key = await keyOf(tenant_id, {});
    const asked = { type: 'TenantErasureRequested', data: { tenant_id, reason: 'owner_request' } } as const;
    await api.append(tenant_id, `tenant-${tenant_id}`, asked);
    return key;
  }

  /** Calls a route by its method and path alone: credentials are looked at before the input is. */
  function call(route: string, headers: Record<string, string>, given = ids): Promise<ApiAnswer> {
    const form = route === 'POST /sources/upload' ? { 'content-type': multipartBody([]).contentType } : {};
    const [method = ''] = route.split(' ');
    return api.call(method, pathOf(route, given, unknownId()), undefined, {
      key: null,
      headers: { ...form, ...headers },
    });
  }

  it('is listed with who may call it, and the API is described so', () => {
    expect(routesOf(api.app)).toEqual(Object.keys(ROUTES).sort());
    const described = Object.entries(openApiDocument(api.app).paths).flatMap(([path, item]) =>
      (['get', 'post', 'put', 'patch', 'delete'] as const).flatMap((method) => {
        const operation = item[method];
        const route = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`;
        return operation ? [[route, operation.security?.length === 0]] : [];
      }),
    );
    const isOpen = (route: string) => ROUTES[route] === 'public' || ROUTES[route] === 'hook';
    const listed = Object.keys(ROUTES).filter((route) => !/ \/(docs|openapi)/.test(route));
    expect(described.sort()).toEqual(listed.map((route) => [route, isOpen(route)]).sort());
  });

  it.each(OPEN)('%s answers whoever asks', async (route) => {
    for (const headers of [{}, refused['a forged one'] ?? {}]) {
      // Swagger's page has a route for a licence that its package does not bring.
      expect((await call(route, headers)).status).toBe(route === 'GET /docs/LICENSE' ? 404 : 200);
    }
  });

  it.each(CLOSED)('%s refuses every credential that is none, alike and without an effect', async (route) => {
    const before = await api.eventCount();
    const bodies = new Set<string>();
    for (const [name, headers] of Object.entries(refused)) {
      const { status, body, headers: answered } = await call(route, headers);
      expect([name, status, body['code'], answered['www-authenticate']]).toEqual([
        ...[name, 401, 'unauthorized'],
        expect.stringContaining('Bearer'),
      ]);
      bodies.add(JSON.stringify({ ...body, request_id: '' }));
    }
    expect(bodies.size).toBe(1);
    expect(await api.eventCount()).toBe(before);
  });

  it.each(CLOSED)('%s wants the scope that it is listed with, and no other', async (route) => {
    const access = ROUTES[route] as KeyScope | 'owner';
    for (const [scope, secret] of lacking) {
      if (scope !== access && access !== 'owner') continue;
      const answer = await call(route, { authorization: `Bearer ${secret}` }, {});
      expect([scope, answer.status, answer.body['code']]).toEqual([scope, 401, 'scope_missing']);
    }
    const scopes = access === 'owner' ? [...KEY_SCOPES] : [access];
    const enough = await keyOf(api.tenantB, { scopes });
    expect((await call(route, { 'x-api-key': enough }, {})).status).not.toBe(401);
  });

  it.each(WITH_ID)('%s answers ids of another tenant as unknown ones, without an effect', async (route) => {
    const before = await api.eventCount();
    const answers = await Promise.all(
      [ids, {}].map(async (given: Record<string, string>) => {
        const { status, text, headers } = await call(route, { authorization: `Bearer ${api.keyB}` }, given);
        return { status, text: withoutIds(text), headers: Object.keys(headers).sort() };
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect([400, 404]).toContain(answers[0]?.status);
    expect(await api.eventCount()).toBe(before);
  });

  it('of pushes takes a signature alone, whatever key comes with it', async () => {
    const route = 'POST /sources/:source_id/hooks/push';
    await api.call('POST', `/sources/${ids['source_id']}/hooks`);
    const before = await api.eventCount();
    const key = { authorization: `Bearer ${api.keyA}` };
    for (const headers of [{}, key, { ...key, 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }]) {
      const answers = await Promise.all(
        [ids, {}].map(async (given: Record<string, string>) => {
          const { status, text } = await call(route, headers as Record<string, string>, given);
          return `${status} ${withoutIds(text)}`;
        }),
      );
      expect(answers[0]).toMatch(/^401 /);
      expect(answers[0]).toBe(answers[1]);
    }
    expect(await api.eventCount()).toBe(before);
  });
});

interface KeyOptions {
  readonly scopes?: readonly KeyScope[];
  readonly expiresAt?: string | null;
  readonly revoked?: boolean;
}

function withoutIds(text: string): string {
  return text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID');
}
