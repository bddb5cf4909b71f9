import { createRemoteJWKSet, customFetch, errors, jwtVerify, type RemoteJWKSet } from 'jose';

import { type GuardedFetch, ProviderAwayError } from './guarded-fetch.js';
import type { TokenClaims } from './identity-provider.port.js';

/** Signatures with a key pair: whoever knows a shared secret could forge the others. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** Codes of errors of the token itself; any other error is one of fetching the keys. */
const TOKEN_ERRORS: ReadonlySet<string> = new Set([
  errors.JOSEAlgNotAllowed.code,
  errors.JOSENotSupported.code,
  errors.JWKSMultipleMatchingKeys.code,
  errors.JWKSNoMatchingKey.code,
  errors.JWSInvalid.code,
  errors.JWSSignatureVerificationFailed.code,
  errors.JWTClaimValidationFailed.code,
  errors.JWTExpired.code,
  errors.JWTInvalid.code,
]);

/** Requirements of a token. */
export interface TokenDemands {
  readonly issuer: string;
  /** Identifier of the resource that the token is for. */
  readonly audience: string;
  readonly keysUrl: string;
  readonly now: Date;
}

/**
 * Verifies access tokens with the published keys of the provider. The keys are fetched at the first
 * token, after ten minutes, and at most every 30 s for a token that names an unknown key.
 */
export class AccessTokenCheck {
  private keys: { readonly url: string; readonly set: RemoteJWKSet } | undefined;

  constructor(
    private readonly guarded: Pick<GuardedFetch, 'fetch'>,
    private readonly timeoutMs: number,
  ) {}

  /**
   * Returns the claims of a token; null for a token that proves nothing.
   * @throws ProviderAwayError while the keys cannot be fetched.
   */
  async claimsOf(token: string, demands: TokenDemands): Promise<TokenClaims | null> {
    const { issuer, audience, keysUrl, now: currentDate } = demands;
    try {
      const { payload } = await jwtVerify(token, this.keysAt(keysUrl), {
        algorithms: ALGORITHMS,
        issuer,
        audience,
        requiredClaims: ['sub', 'exp'],
        currentDate,
      });
      const { iss, sub, exp } = payload;
      if (iss === undefined || sub === undefined || exp === undefined) return null;
      return { ...payload, iss, sub, exp };
    } catch (error) {
      if (error instanceof errors.JOSEError && TOKEN_ERRORS.has(error.code)) return null;
      throw error instanceof ProviderAwayError
        ? error
        : new ProviderAwayError('The keys of the provider cannot be fetched', { cause: error });
    }
  }

  private keysAt(url: string): RemoteJWKSet {
    if (this.keys?.url !== url) {
      const set = createRemoteJWKSet(new URL(url), {
        timeoutDuration: this.timeoutMs,
        [customFetch]: (address, { headers, method }) =>
          this.guarded.fetch(address, { method, headers: Object.fromEntries(headers) }),
      });
      this.keys = { url, set };
    }
    return this.keys.set;
  }
}
