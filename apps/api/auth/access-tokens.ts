import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { KnownUsers } from './known-users.js';
import type { UserPrincipal } from './principal.js';

/** The route that is a resource of OAuth; every other route rejects access tokens. */
const RESOURCE_ROUTE = '/mcp';
/** Longest token that is verified, characters: Node takes 16 KiB of headers. */
const MAX_TOKEN = 8_192;
/** A signed token (JWS, compact). API keys contain no dots. */
const SIGNED_TOKEN = /^Bearer +([\w-]+\.[\w-]+\.[\w-]*)$/i;

/** Verifies access tokens of one issuer. */
export interface AccessTokenVerifier {
  /**
   * Returns the person of a token; null for a token that is forged, expired or for another
   * resource.
   * @throws FootnoteError `access_denied` for a valid token of a person without a role here,
   * `provider_unavailable` while the keys of the issuer cannot be fetched.
   */
  principalOf(token: string): Promise<UserPrincipal | null>;
}

/** Access tokens of requests. Without a verifier no request has one. */
@Injectable()
export class AccessTokens {
  private verifier: AccessTokenVerifier | null = null;
  private readonly verified = new WeakMap<FastifyRequest, Promise<UserPrincipal | null>>();

  constructor(private readonly users: KnownUsers) {}

  get ready(): boolean {
    return this.users.ready;
  }

  get hasCaughtUp(): boolean {
    return this.users.projection.hasCaughtUp;
  }

  /** Accepts the tokens of an issuer from now on. */
  accept(verifier: AccessTokenVerifier): void {
    this.verifier = verifier;
  }

  /** Returns whether a request has an access token for a route that takes one, valid or not. */
  carriesToken(request: FastifyRequest): boolean {
    return this.tokenOf(request) !== null;
  }

  /**
   * Returns the person of a request's access token; null without a valid token. Verifies a request
   * once. @throws FootnoteError as {@link AccessTokenVerifier.principalOf}
   */
  principalIn(request: FastifyRequest): Promise<UserPrincipal | null> {
    const token = this.tokenOf(request);
    if (token === null || !this.verifier) return Promise.resolve(null);
    const known = this.verified.get(request) ?? this.verifier.principalOf(token);
    this.verified.set(request, known);
    return known;
  }

  /** A request with both a token and an API key is ambiguous, and its token is ignored. */
  private tokenOf({ routeOptions, headers }: FastifyRequest): string | null {
    const { authorization = '' } = headers;
    if (!this.verifier || routeOptions.url !== RESOURCE_ROUTE) return null;
    if (headers['x-api-key'] !== undefined) return null;
    const token = SIGNED_TOKEN.exec(authorization)?.[1];
    return token !== undefined && token.length <= MAX_TOKEN ? token : null;
  }
}
