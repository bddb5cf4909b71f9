/**
 * The state that identifies a sign-in when the browser returns; only that browser stores it,
 * sealed.
 */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/**
 * Claims of a person, from an ID token whose signature, issuer, audience, times and nonce are
 * checked.
 */
export type PersonClaims = Readonly<Record<string, unknown>> & {
  readonly iss: string;
  readonly sub: string;
};

/** Claims of an access token whose signature, issuer, audience and times are checked. */
export type TokenClaims = PersonClaims & {
  /** End of the token, seconds since the epoch. */
  readonly exp: number;
};

/** The OpenID Connect provider that people sign in by. */
export interface IdentityProvider {
  /**
   * Returns the address that the browser opens, and the state to store for its return.
   *
   * @throws FootnoteError `provider_unavailable`
   */
  begin(): Promise<{ readonly url: string; readonly pending: PendingSignIn }>;

  /**
   * Returns the person that the provider names in its answer.
   * @param answer the query that the browser came back with
   * @throws FootnoteError `provider_unavailable`; `sign_in_failed` for an answer that proves
   * nothing, whatever the reason.
   */
  finish(answer: URLSearchParams, pending: PendingSignIn): Promise<PersonClaims>;

  /**
   * Returns the claims of an access token for `/mcp`; null for a token that proves nothing.
   * @throws FootnoteError `provider_unavailable`
   */
  verify(accessToken: string): Promise<TokenClaims | null>;

  close(): Promise<void>;
}

/** Injection token; null where no provider is configured. */
export const IDENTITY_PROVIDER = Symbol('IdentityProvider');
