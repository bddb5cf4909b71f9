import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';

import type { ErrorCode } from '#contracts';
import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { Browser } from '#test/support/api/browser';
import { pathOf } from '#test/support/api/routes';
import { UNLIMITED } from '#test/support/limits';
import { MemoryPackages } from '#test/support/memory-packages';

import { REQUEST_EXAMPLES } from './request-examples.js';

/** Operations that may end the session or the tenant of the requests after them. */
const LAST = ['auth_password', 'auth_erase', 'tenant_erase'];
/** Codes of answers that concern the caller, not the body: the sender of a push must sign it. */
const EXPECTED_REFUSALS: Readonly<Record<string, ErrorCode>> = {
  pushhooks_push: 'unauthorized',
};

interface Request {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly example: unknown;
}

type Answer = { readonly code?: string; readonly csrf_token?: string } | undefined;

describe('the examples of request bodies in the document', () => {
  let api: ApiHarness;
  let requests: readonly Request[];

  beforeAll(async () => {
    api = await ApiHarness.start({
      environment: UNLIMITED,
      packageRegistry: new MemoryPackages(),
    });
    const { body } = await api.call<OpenAPIObject>('GET', '/openapi.json');
    requests = jsonRequests(body);
  });
  afterAll(() => api.stop());

  it('cover every operation with a JSON body, and no other', () => {
    expect(requests.map(({ id }) => id).sort()).toEqual(Object.keys(REQUEST_EXAMPLES).sort());
    for (const { id, example } of requests)
      expect([id, example]).toEqual([id, REQUEST_EXAMPLES[id]]);
  });

  it('are accepted: nobody who sends one gets 400', async () => {
    const owner = new Browser(api);
    const registered = await owner.begin('/auth/register', exampleOf('auth_register'));
    expect(registered.status).toBe(201);
    const key = await owner.call<{ key: string }>('POST', '/keys', exampleOf('keys_create'));
    expect(key.status).toBe(201);

    for (const { id, method, path, example } of inOrder(requests)) {
      const url = pathOf(`${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`, {}, unknownId());
      const bySession = await owner.call<Answer>(method, url, example);
      // A sign-in begins another session.
      if (bySession.body?.csrf_token !== undefined) owner.csrf = bySession.body.csrf_token;
      // Some operations take keys alone: the key of the example is then enough.
      const { status, body } =
        bySession.status === 401 || bySession.status === 403
          ? await api.call<Answer>(method, url, example, { key: key.body.key })
          : bySession;
      expect([id, status, body]).not.toEqual([id, 400, body]);
      expect([id, status, body]).not.toEqual([id, 415, body]);
      if (status === 401 || status === 403)
        expect([id, body?.code]).toEqual([id, EXPECTED_REFUSALS[id]]);
      expect([id, status < 500 || status === 503]).toEqual([id, true]);
    }
  });

  function exampleOf(id: string): object {
    const found = requests.find((request) => request.id === id)?.example;
    if (typeof found !== 'object' || found === null) throw new Error(`No example of ${id}`);
    return found;
  }
});

/** Returns every operation that takes a JSON body, with the example in the document. */
function jsonRequests(document: OpenAPIObject): readonly Request[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    (['post', 'put', 'patch', 'delete'] as const).flatMap((method) => {
      const operation = item[method];
      const body = operation?.requestBody;
      const content = body && 'content' in body ? body.content['application/json'] : undefined;
      if (!content) return [];
      const id = operation?.operationId ?? '';
      return [{ id, method: method.toUpperCase(), path, example: content.example as unknown }];
    }),
  );
}

/** Returns the requests with those last that end what the others need. */
function inOrder(requests: readonly Request[]): readonly Request[] {
  const rank = ({ id }: Request) => LAST.indexOf(id);
  return [...requests].sort((one, other) => rank(one) - rank(other));
}
