import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose';

/** The fault of the next sign-in, or of the provider while it is set. */
export type ProviderFault =
  /** Faults of the ID token. */
  | 'wrong-nonce'
  | 'no-nonce'
  | 'wrong-audience'
  | 'wrong-issuer'
  | 'expired'
  | 'issued-tomorrow'
  | 'alg-none'
  | 'signed-with-secret'
  | 'wrong-key'
  | 'changed-after-signing'
  | 'no-id-token'
  /** Faults of the endpoints. */
  | 'token-500'
  | 'token-slow'
  | 'token-redirects'
  | 'token-garbage'
  | 'keys-500'
  | 'metadata-500'
  | 'metadata-of-another'
  | 'userinfo-of-another';

export interface ProviderOptions {
  /** @default the client of the tests */
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly redirectUri: string;
  /** Claims beyond `sub` that only the userinfo endpoint returns. */
  readonly thinTokens?: boolean;
}

/** Faults of an access token. */
export type AccessTokenFault = Extract<
  ProviderFault,
  | 'wrong-audience'
  | 'wrong-issuer'
  | 'expired'
  | 'issued-tomorrow'
  | 'alg-none'
  | 'signed-with-secret'
  | 'wrong-key'
  | 'changed-after-signing'
>;

interface Grant {
  readonly challenge: string;
  readonly nonce: string;
  readonly redirectUri: string;
}

/**
 * An OpenID Connect provider on 127.0.0.1, as strict as a good one: one client with one redirect
 * URI, PKCE by S256, codes that work once. {@link person} signs in; {@link fault} makes it
 * misbehave.
 */
export class OpenIdProvider {
  fault: ProviderFault | undefined;
  person: Readonly<Record<string, unknown>> & { readonly sub: string } = { sub: 'ada' };
  /** Paths that were asked for, in order. */
  readonly requests: string[] = [];
  private readonly grants = new Map<string, Grant>();
  private readonly tokens = new Map<string, Readonly<Record<string, unknown>>>();

  private constructor(
    private readonly server: Server,
    readonly options: Required<ProviderOptions>,
    private readonly key: CryptoKey,
    private readonly strangersKey: CryptoKey,
    private readonly publicJwk: JWK,
  ) {}

  static async start(options: ProviderOptions): Promise<OpenIdProvider> {
    const own = await generateKeyPair('RS256', { extractable: true });
    const stranger = await generateKeyPair('RS256');
    const jwk = { ...(await exportJWK(own.publicKey)), kid: 'k1', use: 'sig', alg: 'RS256' };
    const server = createServer();
    const given = {
      clientId: 'footnote',
      clientSecret: 'client-secret',
      thinTokens: false,
      ...options,
    };
    const provider = new OpenIdProvider(server, given, own.privateKey, stranger.privateKey, jwk);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      provider.answer(request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Settings of a service whose people sign in here. */
  get environment(): Readonly<Record<string, string>> {
    const { clientId, clientSecret } = this.options;
    return {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_ROLE_CLAIM: 'groups',
    };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /**
   * Signs in as a browser does with the URL that a sign-in begins with.
   * @returns the address of the redirect.
   */
  async visit(url: string): Promise<URL> {
    const answer = await fetch(url, { redirect: 'manual' });
    const location = answer.headers.get('location');
    if (answer.status !== 302 || location === null)
      throw new Error(`${answer.status} ${await answer.text()}`);
    return new URL(location);
  }

  /**
   * Returns an access token of {@link person} for a resource, with a lifetime of five minutes.
   * @param claims replace those of the person.
   */
  accessToken(
    audience: string,
    { fault, claims = {} }: { readonly fault?: AccessTokenFault; readonly claims?: object } = {},
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const isEarly = fault === 'issued-tomorrow';
    return this.signed(
      {
        ...this.person,
        iss: fault === 'wrong-issuer' ? 'http://127.0.0.1:1' : this.issuer,
        aud: fault === 'wrong-audience' ? this.options.clientId : [audience, 'account'],
        iat: isEarly ? now + 86_400 : now,
        ...(isEarly && { nbf: now + 86_400 }),
        exp: fault === 'expired' ? now - 600 : now + (isEarly ? 86_400 : 0) + 300,
        ...claims,
      },
      fault,
    );
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer);
    this.requests.push(url.pathname);
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return this.fault === 'metadata-500'
          ? json(response, 500, {})
          : json(response, 200, this.metadata());
      case '/keys':
        return this.fault === 'keys-500'
          ? json(response, 500, {})
          : json(response, 200, { keys: [this.publicJwk] });
      case '/authorize':
        return this.authorize(url.searchParams, response);
      case '/token':
        return this.token(request, response);
      case '/userinfo':
        return this.userinfo(request, response);
      default:
        return json(response, 404, {});
    }
  }

  private metadata() {
    const { issuer } = this;
    return {
      issuer: this.fault === 'metadata-of-another' ? 'http://127.0.0.1:1' : issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      ...(this.options.thinTokens ? { userinfo_endpoint: `${issuer}/userinfo` } : {}),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  private authorize(query: URLSearchParams, response: ServerResponse): void {
    const { clientId, redirectUri } = this.options;
    const challenge = query.get('code_challenge');
    const nonce = query.get('nonce');
    const state = query.get('state');
    const fits =
      query.get('client_id') === clientId &&
      query.get('redirect_uri') === redirectUri &&
      query.get('response_type') === 'code' &&
      query.get('code_challenge_method') === 'S256' &&
      (query.get('scope') ?? '').split(' ').includes('openid');
    if (!fits || challenge === null || nonce === null || state === null)
      return json(response, 400, { error: 'invalid' });
    const code = randomBytes(16).toString('hex');
    this.grants.set(code, { challenge, nonce, redirectUri });
    const back = new URL(redirectUri);
    for (const [name, value] of Object.entries({ code, state, iss: this.issuer }))
      back.searchParams.set(name, value);
    response.writeHead(302, { location: back.href }).end();
  }

  private async token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = new URLSearchParams(await textOf(request));
    const { clientId, clientSecret } = this.options;
    const basic = Buffer.from(
      (request.headers.authorization ?? '').replace('Basic ', ''),
      'base64',
    ).toString();
    if (basic.split(':').map(decodeURIComponent).join(':') !== `${clientId}:${clientSecret}`)
      return json(response, 401, { error: 'invalid_client' });
    if (this.fault === 'token-500') {
      return json(response, 500, { error: 'server_error', error_description: 'provider-detail' });
    }
    if (this.fault === 'token-redirects') {
      return void response.writeHead(307, { location: `${this.issuer}/elsewhere` }).end();
    }
    if (this.fault === 'token-garbage') {
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"id_token": ');
    }
    if (this.fault === 'token-slow') await delay(10_000, undefined, { ref: false });
    const code = body.get('code') ?? '';
    const grant = this.grants.get(code);
    this.grants.delete(code);
    const verifier = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    if (!grant || body.get('redirect_uri') !== grant.redirectUri || verifier !== grant.challenge) {
      return json(response, 400, { error: 'invalid_grant', error_description: 'provider-detail' });
    }
    const access = randomBytes(16).toString('hex');
    this.tokens.set(access, this.person);
    const idToken = this.fault === 'no-id-token' ? {} : { id_token: await this.idToken(grant) };
    json(response, 200, { access_token: access, token_type: 'Bearer', expires_in: 60, ...idToken });
  }

  private userinfo(request: IncomingMessage, response: ServerResponse): void {
    const person = this.tokens.get((request.headers.authorization ?? '').replace('Bearer ', ''));
    if (!person) return json(response, 401, { error: 'invalid_token' });
    json(
      response,
      200,
      this.fault === 'userinfo-of-another' ? { ...person, sub: 'mallory' } : person,
    );
  }

  private async idToken({ nonce }: Grant): Promise<string> {
    const { fault, person, options } = this;
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      ...(options.thinTokens ? { sub: person.sub } : person),
      iss: fault === 'wrong-issuer' ? 'http://127.0.0.1:1' : this.issuer,
      aud: fault === 'wrong-audience' ? 'another-client' : options.clientId,
      ...(fault === 'no-nonce' ? {} : { nonce: fault === 'wrong-nonce' ? 'another' : nonce }),
      iat: fault === 'issued-tomorrow' ? now + 86_400 : now,
      ...(fault === 'issued-tomorrow' ? { nbf: now + 86_400 } : {}),
      exp: fault === 'expired' ? now - 600 : now + 86_400 + 300,
    };
    return this.signed(claims, fault);
  }

  private async signed(claims: JWTPayload, fault: ProviderFault | undefined): Promise<string> {
    if (fault === 'alg-none') return new UnsecuredJWT(claims).encode();
    if (fault === 'signed-with-secret') {
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .sign(Buffer.from(this.options.clientSecret.repeat(4)));
    }
    const key = fault === 'wrong-key' ? this.strangersKey : this.key;
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
      .sign(key);
    if (fault !== 'changed-after-signing') return token;
    const [header, , signature] = token.split('.');
    const changed = Buffer.from(JSON.stringify({ ...claims, sub: 'mallory' })).toString(
      'base64url',
    );
    return [header, changed, signature].join('.');
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += String(part);
  return text;
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
