import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { createLogger, type IdentitySettings } from '#platform';
import { OpenIdProvider, type ProviderFault } from '#test/support/openid-provider';

import { OpenIdConnectProvider } from './openid-connect-provider.js';

const REDIRECT = 'https://footnote.example.com/auth/oidc/callback';
const RESOURCE = 'https://footnote.example.com/mcp';

describe('an OpenID Connect provider', () => {
  let server: OpenIdProvider;
  let provider: OpenIdConnectProvider;
  let now = 0;
  const lines: string[] = [];
  const logger = createLogger('trace', { write: (line: string) => void lines.push(line) });

  const connect = (change: Partial<IdentitySettings> = {}, timeoutMs = 20_000) => {
    const settings: IdentitySettings = {
      issuer: server.issuer,
      clientId: 'footnote',
      clientSecret: 'client-secret',
      redirectUri: REDIRECT,
      mcpResource: RESOURCE,
      scopes: 'openid email',
      tenantId: 't',
      roleClaim: 'groups',
      roles: [],
      defaultRole: null,
      trustEmail: false,
      ...change,
    };
    return new OpenIdConnectProvider({
      settings,
      logger,
      allowPrivateNetworks: false,
      timeoutMs,
      clock: { monotonic: () => now, now: () => new Date() },
    });
  };
  beforeEach(async () => {
    now = 0;
    lines.length = 0;
    server = await OpenIdProvider.start({ redirectUri: REDIRECT });
    provider = connect();
  });
  afterEach(async () => {
    await provider.close();
    await server.stop();
  });

  /** A whole sign-in, the browser's part included. */
  async function signIn(by = provider) {
    const { url, pending } = await by.begin();
    return by.finish((await server.visit(url)).searchParams, pending);
  }

  it('is asked nothing before somebody signs in, and for its metadata and keys once', async () => {
    expect(server.requests).toEqual([]);
    server.person = { sub: 'ada', email: 'ada@example.com', groups: ['staff'] };
    for (let times = 0; times < 3; times += 1) {
      expect(await signIn()).toMatchObject({ iss: server.issuer, sub: 'ada', groups: ['staff'] });
    }
    const count = (path: string) => server.requests.filter((each) => each === path).length;
    expect([count('/.well-known/openid-configuration'), count('/keys'), count('/token')]).toEqual([
      1, 1, 3,
    ]);
  });

  it('gets another state, nonce and challenge each time, and no secret through the browser', async () => {
    const [one, two] = await Promise.all([provider.begin(), provider.begin()]);
    for (const { url, pending } of [one, two]) {
      const asked = Object.fromEntries(new URL(url).searchParams);
      expect(asked).toMatchObject({
        response_type: 'code',
        code_challenge_method: 'S256',
        redirect_uri: REDIRECT,
      });
      expect(asked).toMatchObject({
        state: pending.state,
        nonce: pending.nonce,
        scope: 'openid email',
      });
      expect(url).not.toContain(pending.codeVerifier);
      expect(url).not.toContain('client-secret');
    }
    const secrets = [one, two].flatMap(({ pending }) => [
      pending.state,
      pending.nonce,
      pending.codeVerifier,
    ]);
    expect(new Set(secrets).size).toBe(6);
    for (const secret of secrets) expect(secret.length).toBeGreaterThanOrEqual(43);
  });

  it.each<ProviderFault>([
    ...([
      'wrong-nonce',
      'no-nonce',
      'wrong-audience',
      'wrong-issuer',
      'expired',
      'issued-tomorrow',
    ] as const),
    ...([
      'alg-none',
      'signed-with-secret',
      'wrong-key',
      'changed-after-signing',
      'no-id-token',
    ] as const),
    ...(['token-redirects', 'token-garbage'] as const),
  ])('is not believed when its answer is %s', async (fault) => {
    server.fault = fault;
    await expect(signIn()).rejects.toMatchObject({ code: 'sign_in_failed', status: 401 });
    expect(server.requests).not.toContain('/elsewhere');
    server.fault = undefined;
    expect(await signIn()).toMatchObject({ sub: 'ada' });
  });

  it.each<ProviderFault>(['token-500', 'token-slow', 'keys-500', 'metadata-500'])(
    'is said to be away when it is %s',
    async (fault) => {
      server.fault = fault;
      const by = fault === 'token-slow' ? connect({}, 2_000) : provider;
      const failure: unknown = await signIn(by).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'provider_unavailable', status: 503, retryAfter: 5 });
      expect((failure as Error).message).not.toMatch(/provider-detail|127\.0\.0\.1/);
      expect(lines.join('')).toContain('"away":true');
      expect(lines.join('')).not.toMatch(/provider-detail|client-secret/);
      server.fault = undefined;
      now += 3_000;
      expect(await signIn(by)).toMatchObject({ sub: 'ada' });
      await by.close();
    },
  );

  it('takes each answer once, for the sign-in that it was asked for, as it was sent', async () => {
    const { url, pending } = await provider.begin();
    const answer = (await server.visit(url)).searchParams;
    const other = await provider.begin();
    const refused = { code: 'sign_in_failed' };
    await expect(provider.finish(answer, other.pending)).rejects.toMatchObject(refused);
    const changed = (name: string, value?: string) => {
      const query = new URLSearchParams(answer);
      if (value === undefined) query.delete(name);
      else query.set(name, value);
      return query;
    };
    const wrong = [
      changed('state', 'another'),
      changed('state'),
      changed('code'),
      changed('iss', 'http://127.0.0.1:1'),
    ];
    wrong.push(changed('iss'), new URLSearchParams(`${answer.toString()}&state=${pending.state}`));
    wrong.push(
      new URLSearchParams({ error: 'access_denied', state: pending.state, iss: server.issuer }),
    );
    for (const query of wrong)
      await expect(provider.finish(query, pending)).rejects.toMatchObject(refused);
    expect(server.requests).not.toContain('/token');
    expect(await provider.finish(answer, pending)).toMatchObject({ sub: 'ada' });
    await expect(provider.finish(answer, pending)).rejects.toMatchObject(refused);
  });

  it('is refused a verifier that its code was not asked with', async () => {
    const { url, pending } = await provider.begin();
    const answer = (await server.visit(url)).searchParams;
    const stolen = { ...pending, codeVerifier: (await provider.begin()).pending.codeVerifier };
    await expect(provider.finish(answer, stolen)).rejects.toMatchObject({ code: 'sign_in_failed' });
  });

  it('that names another issuer than the configured one is not believed', async () => {
    server.fault = 'metadata-of-another';
    await expect(provider.begin()).rejects.toMatchObject({ code: 'sign_in_failed' });
  });

  it('is asked about a person where its token says too little, and about nobody else', async () => {
    const thin = await OpenIdProvider.start({ redirectUri: REDIRECT, thinTokens: true });
    const other = connect({ issuer: thin.issuer });
    thin.person = {
      sub: 'ada',
      email: 'ada@example.com',
      email_verified: true,
      groups: ['staff'],
      nonce: 'x',
      aud: 'x',
    };
    const visit = async () => {
      const { url, pending } = await other.begin();
      return other.finish((await thin.visit(url)).searchParams, pending);
    };
    expect(await visit()).toMatchObject({
      sub: 'ada',
      aud: 'footnote',
      email: 'ada@example.com',
      groups: ['staff'],
    });
    thin.fault = 'userinfo-of-another';
    await expect(visit()).rejects.toMatchObject({ code: 'sign_in_failed' });
    await other.close();
    await thin.stop();
  });

  it('may be on a private address when it is configured, and leads to no other', async () => {
    const elsewhere = await OpenIdProvider.start({ redirectUri: REDIRECT });
    Object.defineProperty(server, 'metadata', {
      value: () => ({
        issuer: server.issuer,
        authorization_endpoint: `${server.issuer}/authorize`,
        token_endpoint: `${elsewhere.issuer}/token`,
        jwks_uri: `${elsewhere.issuer}/keys`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
      }),
    });
    await expect(signIn()).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.stop();
  });

  it('is checked with its cached configuration while it cannot be reached again', async () => {
    await signIn();
    now += 61 * 60_000;
    server.fault = 'metadata-500';
    expect(await signIn()).toMatchObject({ sub: 'ada' });
    expect(lines.join('')).toContain(
      'identity provider: refreshing its metadata failed; using the known one',
    );
  });
});
