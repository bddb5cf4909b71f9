import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { ExternalSignIn } from '#apps/api/people/sign-in/external-sign-in';
import { createLogger, FIRST_TENANT_ID } from '#platform';
import { type ApiAnswer, ApiHarness } from '#test/support/api/api-harness';
import { OpenIdProvider } from '#test/support/openid-provider';

const PUBLIC_URL = 'https://footnote.example.com';
const REDIRECT = `${PUBLIC_URL}/auth/oidc/callback`;
const ADA = {
  sub: 'ada',
  email: 'ada@example.com',
  email_verified: true,
  name: 'Ada',
  groups: ['staff'],
};

interface Me {
  readonly id: string;
  readonly email: string;
  readonly display_name: string | null;
  readonly role: string;
  readonly tenant_id: string;
}

describe('sign-in by an OpenID Connect provider', () => {
  let server: OpenIdProvider;
  let api: ApiHarness;
  let now = 0;
  const lines: string[] = [];
  beforeAll(async () => {
    server = await OpenIdProvider.start({ redirectUri: REDIRECT });
    api = await ApiHarness.start({
      logger: createLogger('trace', { write: (line: string) => void lines.push(line) }),
      clock: { now: () => new Date(Date.now() + now), monotonic: () => performance.now() },
      environment: {
        PUBLIC_URL,
        ...server.environment,
        OIDC_ROLES: 'admins=owner,staff=member',
        ALLOW_REGISTRATION: 'true',
      },
    });
    const data = { tenant_id: FIRST_TENANT_ID, name: 'The team' };
    await api.append(FIRST_TENANT_ID, `tenant-${FIRST_TENANT_ID}`, { type: 'TenantCreated', data });
  });
  afterAll(async () => {
    await api.stop();
    await server.stop();
  });
  beforeEach(() => {
    server.person = ADA;
  });
  afterEach(() => {
    server.fault = undefined;
    now = 0;
  });

  const get = <Body = Record<string, unknown>>(
    url: string,
    cookie = '',
    headers: Record<string, string> = {},
  ) =>
    api.call<Body>('GET', url, undefined, {
      key: null,
      headers: cookie === '' ? headers : { cookie, ...headers },
    });
  const setCookies = ({ headers }: ApiAnswer<unknown>) =>
    [headers['set-cookie'] ?? []].flat().map(String);
  const cookiesOf = (answer: ApiAnswer<unknown>) =>
    setCookies(answer)
      .filter((cookie) => !/Max-Age=0/.test(cookie))
      .map((cookie) => cookie.split(';')[0] ?? '')
      .join('; ');

  /**
   * The browser's way to the provider and back. @returns where it comes back to, and its cookie.
   */
  async function begin(returnTo?: string) {
    const query = returnTo === undefined ? '' : `?return_to=${encodeURIComponent(returnTo)}`;
    const begun = await get(`/auth/oidc/login${query}`);
    expect(begun.status).toBe(302);
    const back = await server.visit(String(begun.headers['location']));
    expect(back.href).toMatch(new RegExp(`^${REDIRECT}\\?`));
    return { begun, cookie: cookiesOf(begun), path: `${back.pathname}${back.search}` };
  }
  async function signIn(returnTo?: string) {
    const { cookie, path } = await begin(returnTo);
    return get(path, cookie);
  }
  async function signedIn(
    person: Readonly<Record<string, unknown>> & { readonly sub: string },
  ): Promise<Me> {
    server.person = person;
    const answer = await signIn();
    expect([answer.status, answer.text]).toEqual([302, '']);
    return (await get<Me>('/auth/me', cookiesOf(answer))).body;
  }
  const refusal = { status: 401, body: { code: 'sign_in_failed' } };

  it('makes an account at the first, finds it at the next, whatever address it has by then', async () => {
    const first = await signedIn(ADA);
    expect(first).toMatchObject({
      email: 'ada@example.com',
      display_name: 'Ada',
      role: 'member',
      tenant_id: FIRST_TENANT_ID,
    });
    const again = await signedIn({ ...ADA, email: 'lovelace@example.com' });
    expect(again).toMatchObject({ id: first.id, email: 'ada@example.com' });
    expect(await signedIn({ sub: 'ada', groups: ['staff'] })).toMatchObject({ id: first.id });
    const other = await signedIn({ ...ADA, sub: 'grace', email: 'grace@example.com' });
    expect(other.id).not.toBe(first.id);
  });

  it('goes where the browser wanted to go, of this service alone', async () => {
    expect((await signIn()).headers['location']).toBe('/');
    expect((await signIn('/docs?a=b#c')).headers['location']).toBe('/docs?a=b#c');
    for (const elsewhere of ['//evil.example', 'https://evil.example', '/\\evil.example']) {
      const refused = await get(`/auth/oidc/login?return_to=${encodeURIComponent(elsewhere)}`);
      expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
      expect(refused.headers['location']).toBeUndefined();
    }
  });

  it('keeps what it began in the browser alone, sealed, for ten minutes and once', async () => {
    const { begun, cookie, path } = await begin();
    expect(setCookies(begun)).toEqual([
      expect.stringMatching(
        /^__Host-footnote_sign_in=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
    const state = new URL(`http://x${path}`).searchParams.get('state') ?? '';
    expect(cookie).not.toContain(state);
    expect(begun.headers['cache-control']).toBe('no-store');
    for (const stolen of [
      '',
      `${cookie}x`,
      cookie.replace('__Host-', ''),
      (await begin()).cookie,
    ]) {
      expect(await get(path, stolen)).toMatchObject(refusal);
    }
    now = 601_000;
    expect(await get(path, cookie)).toMatchObject(refusal);
    now = 0;
    const answer = await get(path, cookie);
    expect(answer.status).toBe(302);
    expect(
      setCookies(answer).find((each) => each.startsWith('__Host-footnote_sign_in=')),
    ).toContain('Max-Age=0');
    expect(await get(path, cookie)).toMatchObject(refusal);
  });

  it('takes no account over that has the address already', async () => {
    const password = 'correct horse battery staple';
    const body = { email: 'eve@example.com', password, tenant_name: 'Eve alone' };
    expect((await api.call('POST', '/auth/register', body, { key: null })).status).toBe(201);
    server.person = { ...ADA, sub: 'eve', email: 'Eve@Example.com' };
    expect(await signIn()).toMatchObject({ status: 409, body: { code: 'address_taken' } });
    const login = await api.call(
      'POST',
      '/auth/login',
      { email: 'eve@example.com', password },
      { key: null },
    );
    expect(login.status).toBe(200);
  });

  it('lets nobody into another tenant than the configured one', async () => {
    const visitor = {
      requestId: 'r-1',
      route: 'GET /auth/oidc/callback',
      pathParameters: {},
      idempotencyKey: undefined,
      http: { request_id: 'r-1', method: 'GET', path: '/auth/oidc/callback' },
    };
    await api.app.get(ExternalSignIn, { strict: false }).signIn(visitor, {
      issuer: server.issuer,
      subject: 'moved',
      address: 'moved@example.com',
      displayName: null,
      tenantId: api.tenantA,
      role: 'member',
    });
    server.person = { ...ADA, sub: 'moved', email: 'moved@example.com' };
    const answer = await signIn();
    expect(answer).toMatchObject(refusal);
    expect(cookiesOf(answer)).toBe('');
  });

  it('sends a browser back to the page with the code of the error', async () => {
    server.person = { ...ADA, sub: 'stranger', groups: [] };
    const accept = { accept: 'text/html,application/xhtml+xml;q=0.9' };
    const { cookie, path } = await begin();
    for (const [url, kept] of [
      [path, cookie],
      [path, ''],
    ] as const) {
      const answer = await get(url, kept, accept);
      expect([answer.status, answer.text]).toEqual([303, '']);
      expect(answer.headers['location']).toBe('/ui/#/sign-in?error=sign_in_failed');
      expect(cookiesOf(answer)).toBe('');
    }
  });

  it('makes no account without an address that the provider vouches for', async () => {
    for (const email_verified of [false, undefined]) {
      server.person = { sub: 'joe', email: 'joe@example.com', groups: ['staff'], email_verified };
      expect(await signIn()).toMatchObject(refusal);
    }
  });

  it('has the role follow the provider each time, to the last owner', async () => {
    const boss = { ...ADA, sub: 'boss', email: 'boss@example.com', groups: ['admins'] };
    const second = {
      ...ADA,
      sub: 'second',
      email: 'second@example.com',
      groups: ['admins', 'staff'],
    };
    expect((await signedIn(boss)).role).toBe('owner');
    expect((await signedIn(second)).role).toBe('owner');
    expect((await signedIn({ ...second, groups: ['staff'] })).role).toBe('member');
    expect((await signedIn({ ...boss, groups: ['staff'] })).role).toBe('owner');
    expect(lines.join('')).toContain('The last owner of a tenant keeps that role');
    expect((await signedIn(second)).role).toBe('owner');
    expect((await signedIn({ ...boss, groups: ['staff'] })).role).toBe('member');
  });

  it('rejects a person without a role and ends their sessions', async () => {
    const person = { ...ADA, sub: 'tom', email: 'tom@example.com' };
    server.person = person;
    const cookies = cookiesOf(await signIn());
    expect((await get('/auth/me', cookies)).status).toBe(200);
    server.person = { ...person, groups: ['visitors'] };
    expect(await signIn()).toMatchObject(refusal);
    expect((await get('/auth/me', cookies)).status).toBe(401);
    server.person = { ...person, sub: 'tim', email: 'tim@example.com', groups: [] };
    expect(await signIn()).toMatchObject(refusal);
  });

  it.each(['wrong-nonce', 'wrong-audience', 'expired', 'alg-none', 'wrong-key'] as const)(
    'gives no session for an answer that is %s, and does not say why',
    async (fault) => {
      const { cookie, path } = await begin();
      server.fault = fault;
      const answer = await get(path, cookie);
      expect(answer).toMatchObject(refusal);
      expect(Object.keys(answer.body).sort()).toEqual(['code', 'error', 'request_id']);
      expect(cookiesOf(answer)).toBe('');
      expect(answer.text).not.toMatch(/nonce|aud|exp|alg|signature|127\.0\.0\.1/i);
    },
  );

  it('says when to come back while the provider is away, and everything else goes on', async () => {
    const { cookie, path } = await begin();
    server.fault = 'token-500';
    const answer = await get(path, cookie);
    expect(answer).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } });
    expect(answer.headers['retry-after']).toBe('5');
    expect((await api.call('GET', '/sources')).status).toBe(200);
  });

  it('leaves nothing of its secrets in the log of the service', () => {
    const log = lines.join('');
    expect(log).toContain('A sign-in by the provider failed');
    for (const secret of [
      'client-secret',
      'provider-detail',
      'ada@example.com',
      'footnote_sign_in=',
      'code_verifier',
    ]) {
      expect([secret, log.includes(secret)]).toEqual([secret, false]);
    }
  });
});

describe('a service', () => {
  it('without a provider has no such routes', async () => {
    const api = await ApiHarness.start();
    for (const url of ['/auth/oidc/login', '/auth/oidc/callback?code=a&state=b']) {
      expect(await api.call('GET', url, undefined, { key: null })).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    }
    await api.stop();
  });

  it('whose provider is away starts, and says so when somebody signs in', async () => {
    const environment = {
      PUBLIC_URL,
      OIDC_ISSUER: 'http://127.0.0.1:9',
      OIDC_CLIENT_ID: 'c',
      OIDC_CLIENT_SECRET: 's',
      OIDC_DEFAULT_ROLE: 'member',
    };
    const api = await ApiHarness.start({ environment });
    const answer = await api.call('GET', '/auth/oidc/login', undefined, { key: null });
    expect(answer).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } });
    const headers = { accept: 'text/html' };
    const shown = await api.call('GET', '/auth/oidc/login', undefined, { key: null, headers });
    expect(shown.status).toBe(303);
    expect(shown.headers['location']).toBe('/ui/#/sign-in?error=provider_unavailable');
    await api.stop();
  });
});
