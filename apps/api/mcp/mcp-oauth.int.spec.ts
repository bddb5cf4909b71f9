import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { createLogger, FIRST_TENANT_ID } from '#platform';
import { type ApiAnswer, ApiHarness } from '#test/support/api/api-harness';
import { mcpClient, toolText } from '#test/support/api/mcp-client';
import { publish } from '#test/support/api/publish';
import { type AccessTokenFault, OpenIdProvider } from '#test/support/openid-provider';

const PUBLIC_URL = 'http://localhost:8080';
const RESOURCE = `${PUBLIC_URL}/mcp`;
const METADATA = '/.well-known/oauth-protected-resource/mcp';
const ADA = {
  sub: 'ada',
  email: 'ada@example.com',
  email_verified: true,
  groups: ['staff'],
};
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const FAULTS: readonly AccessTokenFault[] = [
  ...(['wrong-audience', 'wrong-issuer', 'expired', 'issued-tomorrow'] as const),
  ...(['alg-none', 'signed-with-secret', 'wrong-key', 'changed-after-signing'] as const),
];

describe('access tokens of an OpenID Connect provider at the MCP endpoint', () => {
  let server: OpenIdProvider;
  let api: ApiHarness;
  const lines: string[] = [];

  beforeAll(async () => {
    server = await OpenIdProvider.start({ redirectUri: `${PUBLIC_URL}/auth/oidc/callback` });
    api = await ApiHarness.start({
      logger: createLogger('trace', { write: (line: string) => void lines.push(line) }),
      environment: {
        PUBLIC_URL,
        ...server.environment,
        OIDC_ROLES: 'admins=owner,staff=member,books=auditor',
        RATE_LIMIT_FAILED_AUTH: '0',
      },
    });
    const data = { tenant_id: FIRST_TENANT_ID, name: 'The team' };
    await api.append(FIRST_TENANT_ID, `tenant-${FIRST_TENANT_ID}`, { type: 'TenantCreated', data });
    await api.app.listen(0, '127.0.0.1');
    for (const [tenant, name] of [
      [FIRST_TENANT_ID, 'Ours'],
      [api.tenantB, 'Theirs'],
    ] as const)
      await publish(api, [{ path: 'cart.py', content: `def price_of_${name}(): pass` }], {
        tenant,
        name,
      });
    for (const sub of ['ada', 'grace', 'joan'])
      await signIn({ ...ADA, sub, email: `${sub}@example.com` });
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
  });

  /** Signs a person in as a browser does. @returns the id of the account. */
  async function signIn(person: typeof ADA): Promise<string> {
    server.person = person;
    const cookiesOf = ({ headers }: ApiAnswer<unknown>) =>
      [headers['set-cookie'] ?? []]
        .flat()
        .map((cookie) => String(cookie).split(';')[0])
        .join('; ');
    const get = (url: string, cookie?: string) =>
      api.call<{ id: string }>('GET', url, undefined, {
        key: null,
        headers: cookie === undefined ? {} : { cookie },
      });
    const begun = await get('/auth/oidc/login');
    const { pathname, search } = await server.visit(String(begun.headers['location']));
    const ended = await get(`${pathname}${search}`, cookiesOf(begun));
    expect(ended.status).toBe(302);
    return (await get('/auth/me', cookiesOf(ended))).body.id;
  }

  const list = (token: string | null, headers: Record<string, string> = {}) =>
    api.call('POST', '/mcp', LIST, {
      key: null,
      headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
    });
  const toolNames = async (token: string) => {
    const client = await mcpClient(api, { key: token, query: '?tools=manage,audit' });
    const { tools } = await client.listTools();
    await client.close();
    return tools.map(({ name }) => name);
  };

  it('describes itself and its provider to clients', async () => {
    const { status, body } = await api.call('GET', METADATA, undefined, { key: null });
    expect([status, body]).toEqual([
      200,
      {
        resource: RESOURCE,
        resource_name: 'Footnote',
        authorization_servers: [server.issuer],
        scopes_supported: ['openid', 'email', 'profile'],
        bearer_methods_supported: ['header'],
      },
    ]);
  });

  it('names its metadata and the scopes to request where it rejects credentials', async () => {
    const challenge = `Bearer realm="footnote", resource_metadata="${PUBLIC_URL}${METADATA}", scope="openid email profile"`;
    const none = await list(null);
    expect([none.status, none.headers['www-authenticate']]).toEqual([401, challenge]);
    const forged = await list(await server.accessToken(RESOURCE, { fault: 'wrong-key' }));
    expect([forged.status, forged.headers['www-authenticate']]).toEqual([
      401,
      `${challenge}, error="invalid_token"`,
    ]);
    const foreign = await list(api.keyB, { origin: 'https://evil.example' });
    expect([foreign.status, foreign.headers['www-authenticate']]).toEqual([403, challenge]);
    const elsewhere = await api.call('GET', '/sources', undefined, { key: null });
    expect(elsewhere.headers['www-authenticate']).toBe('Bearer realm="footnote"');
  });

  it('answers a person of the tenant with the data of that tenant alone', async () => {
    const client = await mcpClient(api, { key: await server.accessToken(RESOURCE) });
    const { text } = await toolText(client, 'list_sources', {});
    expect([text.includes('Ours'), text.includes('Theirs')]).toEqual([true, false]);
    const theirs = await toolText(client, 'read_file', { source: 'Theirs', path: 'cart.py' });
    expect([theirs.isError, theirs.text.includes('price_of_Theirs')]).toEqual([true, false]);
    await client.close();
  });

  it('shows the tools of the role here, and no more than the role that the token has', async () => {
    const asMember = await toolNames(await server.accessToken(RESOURCE));
    expect(asMember).toEqual(expect.arrayContaining(['search', 'add_source', 'get_receipt']));
    expect(asMember).not.toContain('audit_events');
    const asAuditor = await server.accessToken(RESOURCE, { claims: { groups: ['books'] } });
    expect(await toolNames(asAuditor)).not.toContain('add_source');
    const asOwner = await server.accessToken(RESOURCE, { claims: { groups: ['admins'] } });
    expect(await toolNames(asOwner)).toEqual(asMember);
    const withoutClaim = await server.accessToken(RESOURCE, { claims: { groups: undefined } });
    expect(await toolNames(withoutClaim)).toEqual(asMember);
  });

  it.each(FAULTS)('rejects a token with the fault %s', async (fault) => {
    const { status, body } = await list(await server.accessToken(RESOURCE, { fault }));
    expect([status, body['code']]).toEqual([401, 'unauthorized']);
  });

  it.each([
    ['another resource of this host', { aud: `${RESOURCE}/` }],
    ['no audience', { aud: undefined }],
    ['no end', { exp: undefined }],
    ['no subject', { sub: undefined }],
  ])('rejects a token with %s', async (_name, claims) => {
    const { status } = await list(await server.accessToken(RESOURCE, { claims }));
    expect(status).toBe(401);
  });

  it('rejects a person who never signed in, and creates no account', async () => {
    const before = await api.eventCount();
    const { status, body } = await list(
      await server.accessToken(RESOURCE, { claims: { sub: 'mallory' } }),
    );
    expect([status, body['code'], await api.eventCount()]).toEqual([403, 'access_denied', before]);
  });

  it('rejects a person without a role', async () => {
    const token = await server.accessToken(RESOURCE, { claims: { groups: ['visitors'] } });
    expect(await list(token)).toMatchObject({ status: 403, body: { code: 'access_denied' } });
  });

  it('rejects a person who was removed from the tenant', async () => {
    const user_id = await signIn({ ...ADA, sub: 'grace', email: 'grace@example.com' });
    const token = await server.accessToken(RESOURCE);
    expect((await list(token)).status).toBe(200);
    await api.append(FIRST_TENANT_ID, `members-${FIRST_TENANT_ID}`, {
      type: 'MemberRemoved',
      data: { user_id },
    });
    expect(await list(token)).toMatchObject({ status: 403, body: { code: 'access_denied' } });
  });

  it('accepts tokens at no other route', async () => {
    const headers = { authorization: `Bearer ${await server.accessToken(RESOURCE)}` };
    const { status, body } = await api.call('GET', '/sources', undefined, { key: null, headers });
    expect([status, body['code']]).toEqual([401, 'unauthorized']);
  });

  it('rejects a token together with an API key', async () => {
    const { status } = await list(await server.accessToken(RESOURCE), { 'x-api-key': api.keyA });
    expect(status).toBe(401);
  });

  it('fetches the keys once for many tokens, and sends the provider no token', async () => {
    const before = server.requests.length;
    for (let times = 0; times < 5; times++)
      expect((await list(await server.accessToken(RESOURCE))).status).toBe(200);
    expect(server.requests.slice(before)).toEqual([]);
  });

  it('logs no token', async () => {
    const tokens = [
      await server.accessToken(RESOURCE),
      await server.accessToken(RESOURCE, { fault: 'wrong-key' }),
    ];
    for (const token of tokens) await list(token);
    const log = lines.join('');
    expect(log.length).toBeGreaterThan(0);
    for (const token of tokens) expect(log).not.toContain(token.split('.')[2]);
  });
});

describe('the MCP endpoint without an OpenID Connect provider', () => {
  it('advertises no OAuth', async () => {
    const api = await ApiHarness.start();
    const metadata = await api.call('GET', METADATA, undefined, { key: null });
    const rejected = await api.call('POST', '/mcp', LIST, { key: null });
    expect([metadata.status, rejected.status, rejected.headers['www-authenticate']]).toEqual([
      404,
      401,
      'Bearer realm="footnote"',
    ]);
    await api.stop();
  });
});
