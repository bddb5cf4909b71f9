import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';

import { FootnoteError } from '#contracts';
import { type Clock, type IdentitySettings, type Logger, SharedReading } from '#platform';

import { AccessTokenCheck } from './access-token-check.js';
import { claimAt } from './claim-at.js';
import { GuardedFetch, type GuardedFetchOptions, ProviderAwayError } from './guarded-fetch.js';
import type {
  IdentityProvider,
  PendingSignIn,
  PersonClaims,
  TokenClaims,
} from './identity-provider.port.js';

export interface OpenIdConnectProviderOptions extends Pick<
  GuardedFetchOptions,
  'allowPrivateNetworks'
> {
  readonly settings: IdentitySettings;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Milliseconds for one exchange with the provider. @default 5000 */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 5_000;
/**
 * Lifetime of the provider's metadata before it is requested again. Its keys have a cache of their
 * own.
 */
const METADATA_FOR_MS = 60 * 60_000;
/**
 * Pause after a failure of the provider. Known metadata is used that much longer; callers without
 * metadata get the failure.
 */
const LEFT_ALONE_MS = 60_000;
const FAILED_FOR_MS = 2_000;
const RETRY_SECONDS = 5;

/**
 * A provider by its published metadata: authorization code with PKCE, the ID token's signature
 * checked with the provider's keys. It sends no request before a person signs in, and reveals
 * nothing that the provider says of a failure.
 */
export class OpenIdConnectProvider implements IdentityProvider {
  private readonly asked: GuardedFetch;
  private readonly accessTokens: AccessTokenCheck;
  private readonly metadata: SharedReading<Configuration>;
  private known: { readonly configuration: Configuration; readonly until: number } | undefined;

  constructor(private readonly options: OpenIdConnectProviderOptions) {
    const { settings, allowPrivateNetworks, clock, timeoutMs = TIMEOUT_MS } = options;
    this.asked = new GuardedFetch({ issuer: settings.issuer, allowPrivateNetworks, timeoutMs });
    this.accessTokens = new AccessTokenCheck(this.asked, timeoutMs);
    this.metadata = new SharedReading(() => this.discover(), { forMs: FAILED_FOR_MS, clock });
  }

  async begin(): Promise<{ readonly url: string; readonly pending: PendingSignIn }> {
    const { settings } = this.options;
    const pending = {
      state: randomState(),
      nonce: randomNonce(),
      codeVerifier: randomPKCECodeVerifier(),
    };
    const challenge = await calculatePKCECodeChallenge(pending.codeVerifier);
    return this.telling(async () => {
      const url = buildAuthorizationUrl(await this.configuration(), {
        redirect_uri: settings.redirectUri,
        scope: settings.scopes,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        state: pending.state,
        nonce: pending.nonce,
      });
      return { url: url.href, pending };
    });
  }

  finish(
    answer: URLSearchParams,
    { state, nonce, codeVerifier }: PendingSignIn,
  ): Promise<PersonClaims> {
    return this.telling(async () => {
      const configuration = await this.configuration();
      const current = new URL(`${this.options.settings.redirectUri}?${answer.toString()}`);
      const tokens = await authorizationCodeGrant(configuration, current, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('The provider sent no ID token');
      if (configuration.serverMetadata().userinfo_endpoint === undefined || !this.lacks(claims))
        return claims;
      // Many providers put into the ID token no more than who it is.
      const more = await fetchUserInfo(configuration, tokens.access_token, claims.sub);
      return { ...more, ...claims };
    });
  }

  async verify(accessToken: string): Promise<TokenClaims | null> {
    const { settings, clock } = this.options;
    return this.telling(async () => {
      const { issuer, jwks_uri: keysUrl } = (await this.configuration()).serverMetadata();
      if (keysUrl === undefined) throw new ProviderAwayError('The metadata locate no keys');
      return this.accessTokens.claimsOf(accessToken, {
        issuer,
        audience: settings.mcpResource,
        keysUrl,
        now: clock.now(),
      });
    }, 'identity provider: an access token could not be checked; rejecting the request');
  }

  async close(): Promise<void> {
    await this.asked.close();
  }

  private lacks(claims: Readonly<Record<string, unknown>>): boolean {
    const { roleClaim } = this.options.settings;
    return (
      claims['email'] === undefined ||
      (roleClaim !== undefined && claimAt(claims, roleClaim) === undefined)
    );
  }

  /** Returns earlier metadata while the provider cannot be reached. */
  private async configuration(): Promise<Configuration> {
    const now = this.options.clock.monotonic();
    if (this.known && now < this.known.until) return this.known.configuration;
    try {
      this.known = { configuration: await this.metadata.get(), until: now + METADATA_FOR_MS };
    } catch (error) {
      if (!this.known) throw error;
      this.known = { ...this.known, until: now + LEFT_ALONE_MS };
      this.options.logger.warn(
        { reasons: causesOf(error).map(reasonOf) },
        'identity provider: refreshing its metadata failed; using the known one',
      );
    }
    return this.known.configuration;
  }

  private async discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.options.settings;
    const insecure = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
    const fetch = this.asked.fetch as CustomFetch;
    const found = await discovery(new URL(issuer), clientId, clientSecret, undefined, {
      [customFetch]: fetch,
      execute: insecure,
    });
    const metadata = found.serverMetadata();
    // The library takes another issuer for some providers of several; here there is one.
    if (metadata.issuer !== issuer && new URL(metadata.issuer).href !== new URL(issuer).href) {
      throw new Error('The metadata names another issuer than OIDC_ISSUER');
    }
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = metadata;
    const authentication = methods.includes('client_secret_basic')
      ? ClientSecretBasic
      : ClientSecretPost;
    const configuration = new Configuration(
      metadata,
      clientId,
      undefined,
      authentication(clientSecret),
    );
    configuration[customFetch] = fetch;
    for (const extension of insecure) extension(configuration);
    enableNonRepudiationChecks(configuration);
    return configuration;
  }

  /** Has callers know what to do, and the log what happened: never what the provider sent. */
  private async telling<T>(
    work: () => Promise<T>,
    message = 'A sign-in by the provider failed',
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const isAway = causesOf(error).some(
        (cause) => cause instanceof ProviderAwayError || isTimeout(cause),
      );
      this.options.logger.warn({ away: isAway, reasons: causesOf(error).map(reasonOf) }, message);
      if (isAway) {
        throw new FootnoteError(
          'provider_unavailable',
          'The identity provider is unavailable; try again',
          {
            cause: error,
            retryAfter: RETRY_SECONDS,
          },
        );
      }
      throw new FootnoteError(
        'sign_in_failed',
        'The identity provider did not confirm this sign-in; start the sign-in again',
        {
          cause: error,
        },
      );
    }
  }
}

function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let at = error; at instanceof Error && causes.length < 8; at = at.cause) causes.push(at);
  return causes;
}

function isTimeout({ name }: Error): boolean {
  return name === 'TimeoutError' || name === 'AbortError';
}

/** The library's and Node's own words; an error that carries the provider's has its code alone. */
function reasonOf(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const isTold = error.name === 'ResponseBodyError' || error.name === 'AuthorizationResponseError';
  return isTold ? `${error.name} ${code}` : `${error.name} ${code} ${error.message}`.slice(0, 200);
}
