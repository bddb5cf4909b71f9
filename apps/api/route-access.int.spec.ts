import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';

import { openApiDocument } from '#apps/api/openapi/document';
import { KEY_SCOPES, type KeyScope, type Role } from '#contracts';
import { newApiKeySecret, uuidv7 } from '#platform';
import { type ApiAnswer, ApiHarness, unknownId } from '#test/support/api/api-harness';
import { contentTypeOf } from '#test/support/api/content-type';
import { publish } from '#test/support/api/publish';
import { type Access, ROUTES } from '#test/support/api/route-access';
import { pathOf, routesOf } from '#test/support/api/routes';
import { UNLIMITED } from '#test/support/limits';

import { KnownUsers } from './auth/known-users.js';
import { SessionTokens } from './auth/session-tokens.js';
import { PersonalText } from './people/accounts/personal-text.js';

/** Valid input, so that a route reads the id in its path. */
const INPUT: Readonly<Record<string, { readonly body?: object; readonly query?: string }>> = {
  'PUT /sources/:source_id/scip': { query: '?version_ref=v1' },
  'GET /sources/:source_id/content': { query: '?path=a.ts' },
  'GET /sources/:source_id/diff': { query: '?from=1' },
  'GET /sources/:source_id/files': { query: '?path=a.ts' },
  'GET /sources/:source_id/outline': { query: '?path=a.ts' },
  'PATCH /conversations/:conversation_id': { body: { title: 'Other' } },
  'PATCH /members/:user_id': { body: { role: 'auditor' } },
  'PATCH /sources/:source_id': { body: { name: 'Other' } },
  'PATCH /webhooks/:webhook_id': { body: { name: 'Other' } },
};
// Routes of the pages that redirect or need a file; web-ui.int and openapi.int cover them.
const OPEN = Object.keys(ROUTES).filter(
  (route) => ROUTES[route] === 'public' && !/^GET \/(?:ui|docs\/)/.test(route),
);
const CLOSED = Object.keys(ROUTES).filter((route) => typeof ROUTES[route] === 'object');
const UNSAFE = CLOSED.filter(
  (route) => !route.startsWith('GET ') && (ROUTES[route] as Access).people !== null,
);
const WITH_ID = CLOSED.filter((route) => route.includes(':'));
const ROLE_SCOPES: Readonly<Record<Role, readonly KeyScope[]>> = {
  owner: ['read', 'write', 'audit'],
  member: ['read', 'write'],
  auditor: ['read', 'audit'],
};
const JWT_SECRET = 'the secret of this spec is long enough to sign';

/** Returns the scopes of a key that a route accepts, no more than it needs. */
const scopesFor = (keys: Access['keys']): readonly KeyScope[] => {
  if (keys === 'every' || keys === null) return KEY_SCOPES;
  return [keys === 'any' ? 'audit' : keys];
};

/** A person with a tenant of their own. */
interface Person {
  readonly userId: string;
  readonly tenantId: string;
}

describe('every route', () => {
  let api: ApiHarness;
  /** Ids of tenant A and of a person with a tenant of their own, by the name of the parameter. */
  let ids: Record<string, string>;
  /** Headers that no route takes, by what is wrong with them. */
  let refused: Readonly<Record<string, Record<string, string>>>;
  const lacking = new Map<KeyScope, string>();
  const people = new Map<Role, Person>();

  beforeAll(async () => {
    api = await ApiHarness.start({ environment: { JWT_SECRET, ...UNLIMITED } });
    const source_id = await publish(api, [{ path: 'a.ts', content: 'export const answer = 42;' }], {
      tenant: api.tenantA,
    });
    const { headers } = await api.call('POST', '/search', { query: 'answer' });
    const { body } = await api.call<{ jobs: { id: string }[] }>('GET', '/jobs');
    const { body: key } = await api.call<{ id: string }>('POST', '/keys', { name: 'listed' });
    const { body: webhook } = await api.call<{ id: string }>('POST', '/webhooks', {
      name: 'SIEM',
      url: 'https://siem.example.com/',
    });
    for (const scope of KEY_SCOPES) {
      lacking.set(
        scope,
        await keyOf(api.tenantA, { scopes: KEY_SCOPES.filter((each) => each !== scope) }),
      );
    }
    for (const role of ['owner', 'member', 'auditor'] as const)
      people.set(role, await register(role));
    const rover = await api.call('POST', '/rover/jobs', { question: 'Where is the answer?' });
    const other = await register('owner');
    const invitation = await asPerson('POST /invitations', other, {}, { body: { role: 'member' } });
    ids = {
      source_id,
      job_id: body.jobs[0]?.id ?? '',
      receipt_id: String(headers['x-receipt-id']),
      rover_job_id: String(rover.body['id']),
      key_id: key.id,
      webhook_id: webhook.id,
      user_id: other.userId,
      invitation_id: String(invitation.body['id']),
    };
    refused = { ...(await badKeys()), ...(await badCookies()) };
  });
  afterAll(() => api.stop());

  async function keyOf(
    tenant: string,
    { scopes = [...KEY_SCOPES], expiresAt = null, revoked = false }: KeyOptions,
  ): Promise<string> {
    const { secret } = newApiKeySecret();
    const key_id = await api.issueKey(tenant, secret, [...scopes], expiresAt);
    if (revoked)
      await api.append(tenant, `apikey-${key_id}`, { type: 'ApiKeyRevoked', data: { key_id } });
    return secret;
  }

  /** As registering leaves it, without the work of a password. */
  async function register(role: Role): Promise<Person> {
    const [userId, tenantId] = [uuidv7(), uuidv7()];
    const address = await api.app
      .get(PersonalText)
      .seal({ tenantId, userId }, 'address', 'ada@example.com');
    const person = {
      user_id: userId,
      tenant_id: tenantId,
      fingerprints: [createHash('sha256').update(userId).digest('hex')],
    };
    const registered = { ...person, address, display_name: null, password: null, role };
    await api.append(tenantId, `tenant-${tenantId}`, {
      type: 'TenantCreated',
      data: { tenant_id: tenantId, name: 'T' },
    });
    await api.append(tenantId, `user-${userId}`, { type: 'UserRegistered', data: registered });
    await api.append(tenantId, `members-${tenantId}`, {
      type: 'MemberJoined',
      data: { user_id: userId, role },
    });
    return { userId, tenantId };
  }

  async function erase(tenant_id: string): Promise<void> {
    const asked = {
      type: 'TenantErasureRequested',
      data: { tenant_id, reason: 'owner_request' },
    } as const;
    await api.append(tenant_id, `tenant-${tenant_id}`, asked);
  }

  /** A session that has just begun, as its cookie and CSRF token. */
  async function session({
    userId,
    tenantId,
  }: Person): Promise<{ readonly token: string; readonly csrf: string }> {
    const tokens = api.app.get(SessionTokens);
    const epoch = api.app.get(KnownUsers).find(userId)?.epoch ?? 1;
    const sessionId = uuidv7();
    const token = await tokens.sign({
      sessionId,
      userId,
      tenantId,
      epoch,
      endsAt: Date.now() + 3_600_000,
    });
    return { token, csrf: await tokens.csrfOf(sessionId) };
  }

  async function badKeys(): Promise<Record<string, Record<string, string>>> {
    const erased = uuidv7();
    const data = { tenant_id: erased, name: 'Erased' };
    await api.append(erased, `tenant-${erased}`, { type: 'TenantCreated', data });
    const keyOfErased = await keyOf(erased, {});
    await erase(erased);
    return {
      'no credential': {},
      'an empty key': { authorization: 'Bearer ' },
      'another scheme': { authorization: `Basic ${Buffer.from(api.keyA).toString('base64')}` },
      'a malformed key': bearer('fnt_short'),
      'the key in another header': { 'x-auth-token': api.keyA },
      'two keys that differ': { ...bearer(api.keyA), 'x-api-key': api.keyB },
      'a forged key': bearer(newApiKeySecret().secret),
      'a key that differs by a letter': bearer(
        `${api.keyA.slice(0, -1)}${api.keyA.endsWith('a') ? 'b' : 'a'}`,
      ),
      'an expired key': bearer(await keyOf(api.tenantA, { expiresAt: '2020-01-01T00:00:00.000Z' })),
      'a revoked key': bearer(await keyOf(api.tenantA, { revoked: true })),
      'a key of an erased tenant': bearer(keyOfErased),
      'an invalid key together with a valid session': {
        ...bearer(newApiKeySecret().secret),
        ...cookie((await session(await register('owner'))).token),
      },
    };
  }

  /** Each with the CSRF token of the session that it was made of. */
  async function badCookies(): Promise<Record<string, Record<string, string>>> {
    const person = people.get('owner') ?? (await register('owner'));
    const { token, csrf } = await session(person);
    const claims = decodeJwt(token);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const signed = (changes: object, secret = JWT_SECRET, protectedHeader: object = {}) =>
      new SignJWT({ ...claims, ...changes })
        .setProtectedHeader({ alg: 'HS256', typ: 'footnote-session+jwt', ...protectedHeader })
        .sign(Buffer.from(secret));
    const ended = await session(person);
    await api.call('POST', '/auth/logout', undefined, {
      key: null,
      headers: { ...cookie(ended.token), 'x-csrf-token': ended.csrf },
    });
    const [leaver, erased] = [await register('owner'), await register('owner')];
    const [left, ofErased] = [await session(leaver), await session(erased)];
    const removed = { type: 'MemberRemoved', data: { user_id: leaver.userId } } as const;
    await api.append(leaver.tenantId, `members-${leaver.tenantId}`, removed);
    await erase(erased.tenantId);
    const anHourAgo = Math.floor(Date.now() / 1_000) - 3_600;
    const tokens = {
      'a forged session': 'x.y.z',
      'a session without its signature': `${header}.${payload}.`,
      'a session whose claims were changed': `${header}.${Buffer.from(JSON.stringify({ ...claims, tid: api.tenantA })).toString('base64url')}.${signature}`,
      'a session that is not signed (alg none)': new UnsecuredJWT(claims).encode(),
      'a session signed with another secret': await signed(
        {},
        'another secret that is long enough to sign with',
      ),
      'a session signed by another algorithm': await signed({}, JWT_SECRET, { alg: 'HS512' }),
      'a token of another type': await signed({}, JWT_SECRET, { typ: 'JWT' }),
      'a token for somebody else': await signed({ aud: 'another' }),
      'a token of somebody else': await signed({ iss: 'another' }),
      'an expired session': await signed({ iat: anHourAgo - 60, exp: anHourAgo }),
      'a session past its end': await signed({ end: anHourAgo }),
      'a session in another tenant': await signed({ tid: api.tenantA }),
      'a session of nobody': await signed({ sub: uuidv7() }),
      'a session of an earlier epoch': await signed({ epoch: 0 }),
      'a session that was signed out of': ended.token,
      'a session of somebody who left': left.token,
      'a session of an erased tenant': ofErased.token,
    };
    return Object.fromEntries(
      Object.entries(tokens).map(([name, value]) => [
        name,
        { ...cookie(value), 'x-csrf-token': csrf },
      ]),
    );
  }

  /**
   * Calls a route by its method and path alone by default: credentials are looked at before the
   * input is.
   */
  function call(
    route: string,
    headers: Record<string, string>,
    given = ids,
    { body, query = '' }: { readonly body?: object; readonly query?: string } = {},
  ): Promise<ApiAnswer> {
    const form = contentTypeOf(route);
    const [method = ''] = route.split(' ');
    return api.call(method, `${pathOf(route, given, unknownId())}${query}`, body, {
      key: null,
      headers: { ...form, ...headers },
    });
  }

  async function asPerson(
    route: string,
    person: Person,
    given: Record<string, string> = {},
    input: { readonly body?: object; readonly query?: string } = {},
  ): Promise<ApiAnswer> {
    const { token, csrf } = await session(person);
    return call(route, { ...cookie(token), 'x-csrf-token': csrf }, given, input);
  }

  it('is listed with who may call it, and the API is described so', () => {
    expect(routesOf(api.app)).toEqual(Object.keys(ROUTES).sort());
    const described = Object.entries(openApiDocument(api.app).paths).flatMap(([path, item]) =>
      (['get', 'post', 'put', 'patch', 'delete'] as const).flatMap((method) => {
        const operation = item[method];
        // Swagger names what a wildcard matches.
        const pattern = path.replace(/\{path\}$/, '*').replace(/\{(\w+)\}/g, ':$1');
        const route = `${method.toUpperCase()} ${pattern}`;
        return operation ? [[route, operation.security?.length === 0]] : [];
      }),
    );
    const listed = Object.keys(ROUTES).filter((route) => !/ \/(docs|openapi|ui)/.test(route));
    expect(described.sort()).toEqual(
      listed.map((route) => [route, typeof ROUTES[route] === 'string']).sort(),
    );
  });

  it.each(OPEN)('%s answers every caller', async (route) => {
    // No provider is configured. An id is nobody's. Routes with a body get none.
    const isAbsent = /\/oidc\/|oauth/.test(route) || route.includes(':');
    const status = isAbsent ? 404 : route.startsWith('POST') ? 400 : 200;
    for (const headers of [{}, refused['a forged key'] ?? {}, refused['a forged session'] ?? {}]) {
      expect((await call(route, headers)).status).toBe(status);
    }
  });

  it.each(CLOSED)(
    '%s refuses every invalid credential, alike and without an effect',
    async (route) => {
      const before = await api.eventCount();
      const bodies = new Set<string>();
      for (const [name, headers] of Object.entries(refused)) {
        const { status, body, headers: answered } = await call(route, headers);
        expect([name, status, body['code'], answered['www-authenticate']]).toEqual([
          ...[name, 401, 'unauthorized'],
          expect.stringContaining('Bearer'),
        ]);
        expect(answered['set-cookie']).toBeUndefined();
        bodies.add(JSON.stringify({ ...body, request_id: '' }));
      }
      expect(bodies.size).toBe(1);
      expect(await api.eventCount()).toBe(before);
    },
  );

  it.each(CLOSED)(
    '%s wants of a key the scope that it is listed with, and no other',
    async (route) => {
      const { keys } = ROUTES[route] as Access;
      const refusal = async (secret: string) => {
        const { status, body } = await call(route, bearer(secret), {});
        return status === 401 ? body['code'] : null;
      };
      for (const [scope, secret] of lacking) {
        const isRefused = keys === null || keys === 'every' || keys === scope;
        const code = keys === null ? 'sign_in_required' : isRefused ? 'scope_missing' : null;
        if (isRefused) expect([scope, await refusal(secret)]).toEqual([scope, code]);
      }
      const enough = await keyOf(api.tenantB, {
        scopes: scopesFor(keys),
      });
      expect(await refusal(enough)).toBe(keys === null ? 'sign_in_required' : null);
    },
  );

  it.each(CLOSED)('%s is for the people that it is listed with', async (route) => {
    const { people: needed } = ROUTES[route] as Access;
    for (const [role, person] of people) {
      const refusal = needed === null ? 'unauthorized' : 'role_missing';
      const may =
        needed !== null &&
        (needed === 'any' ||
          (needed === 'owner' ? role === 'owner' : ROLE_SCOPES[role].includes(needed)));
      const { status, body } = await asPerson(route, person);
      expect([role, status === 401 ? body['code'] : null]).toEqual([role, may ? null : refusal]);
    }
  });

  it.each(UNSAFE)('%s wants the CSRF token of the very session', async (route) => {
    const before = await api.eventCount();
    const person = people.get('owner') as Person;
    const [{ token }, other] = await Promise.all([session(person), session(person)]);
    for (const headers of [
      {},
      { 'x-csrf-token': '' },
      { 'x-csrf-token': 'x' },
      { 'x-csrf-token': other.csrf },
    ]) {
      const { status, body } = await call(route, { ...cookie(token), ...headers });
      expect([status, body['code']]).toEqual([401, 'csrf_invalid']);
    }
    expect(await api.eventCount()).toBe(before);
  });

  it.each(WITH_ID)(
    '%s answers ids of another tenant as unknown ones, without an effect',
    async (route) => {
      const before = await api.eventCount();
      const { keys } = ROUTES[route] as Access;
      const answers = await Promise.all(
        [ids, {}].map(async (given: Record<string, string>) => {
          const { status, text, headers } =
            keys === null
              ? await asPerson(route, people.get('owner') as Person, given, INPUT[route])
              : await call(route, bearer(api.keyB), given, INPUT[route]);
          return { status, text: withoutIds(text), headers: Object.keys(headers).sort() };
        }),
      );
      expect(answers[0]).toEqual(answers[1]);
      expect(answers[0]?.status).toBe(404);
      expect(await api.eventCount()).toBe(before);
    },
  );

  it('of pushes takes a signature alone, whatever key comes with it', async () => {
    const route = 'POST /sources/:source_id/hooks/push';
    await api.call('POST', `/sources/${ids['source_id']}/hooks`);
    const before = await api.eventCount();
    const key = bearer(api.keyA);
    for (const headers of [
      {},
      key,
      { ...key, 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` },
    ]) {
      const answers = await Promise.all(
        [ids, {}].map(async (given: Record<string, string>) => {
          const { status, text } = await call(route, headers, given);
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

function bearer(secret: string): Record<string, string> {
  return { authorization: `Bearer ${secret}` };
}

function cookie(token: string): Record<string, string> {
  return { cookie: `footnote_session=${token}` };
}

function withoutIds(text: string): string {
  return text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID');
}
