import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { FootnoteError, KEY_SCOPES, type KeyScope } from '#contracts';

import {
  CREDENTIALS,
  EVERY_SCOPE,
  MANAGEMENT,
  NEEDED_SCOPE,
  PUBLIC_ROUTE,
  type TakenCredentials,
} from './access.decorators.js';
import { AccessTokens } from './access-tokens.js';
import { carriesApiKey, credentialOf, unauthorized } from './credentials.js';
import { KeyUsage } from './key-usage.js';
import { KnownApiKeys } from './known-api-keys.js';
import { serviceNotReady } from './not-ready.js';
import type { Principal } from './principal.js';
import { Sessions } from './sessions.js';

/** The access requirements of a route. */
interface Demands {
  readonly taken: TakenCredentials;
  /** Null: none. */
  readonly scope: KeyScope | null;
  readonly ownersOnly: boolean;
  readonly everyScope: boolean;
}

/**
 * Accepts a request with a live key, session or access token that may call the route, and records
 * its principal on it. A key or token counts before a cookie, which is then ignored.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: KnownApiKeys,
    private readonly usage: KeyUsage,
    private readonly sessions: Sessions,
    private readonly tokens: AccessTokens,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const places = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC_ROUTE, places)) return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const scope = this.reflector.getAllAndOverride<KeyScope | null | undefined>(
      NEEDED_SCOPE,
      places,
    );
    const demands: Demands = {
      taken:
        this.reflector.getAllAndOverride<TakenCredentials | undefined>(CREDENTIALS, places) ??
        'any',
      scope: scope === undefined ? usual(request.method) : scope,
      ownersOnly:
        this.reflector.getAllAndOverride<boolean | undefined>(MANAGEMENT, places) ?? false,
      everyScope:
        this.reflector.getAllAndOverride<boolean | undefined>(EVERY_SCOPE, places) ?? false,
    };
    if (this.tokens.carriesToken(request)) return this.admitToken(request, demands);
    if (carriesApiKey(request.headers) || !this.sessions.carriesSession(request))
      return this.admitKey(request, demands);
    return this.admitPerson(request, context.switchToHttp().getResponse<FastifyReply>(), demands);
  }

  private admitKey(request: FastifyRequest, demands: Demands): boolean {
    const credential = credentialOf(request.headers);
    if (!this.keys.ready) throw serviceNotReady(this.keys.projection.hasCaughtUp);
    const principal = this.keys.principalOf(credential);
    if (!principal) throw unauthorized();
    if (demands.taken === 'person') {
      throw new FootnoteError(
        'sign_in_required',
        'This request requires a session; an API key is not enough',
      );
    }
    requireScope(principal, demands.scope);
    if (demands.everyScope) for (const scope of KEY_SCOPES) requireScope(principal, scope);
    request.principal = principal;
    this.usage.note(principal);
    return true;
  }

  private async admitToken(request: FastifyRequest, { scope }: Demands): Promise<boolean> {
    if (!this.tokens.ready) throw serviceNotReady(this.tokens.hasCaughtUp);
    const principal = await this.tokens.principalIn(request);
    if (!principal) throw unauthorized();
    requireScope(principal, scope);
    request.principal = principal;
    return true;
  }

  private async admitPerson(
    request: FastifyRequest,
    reply: FastifyReply,
    demands: Demands,
  ): Promise<boolean> {
    if (demands.taken === 'api_key') throw unauthorized();
    if (!this.sessions.ready) throw serviceNotReady(this.sessions.hasCaughtUp);
    const principal = await this.sessions.admit(request, reply);
    if (!principal) throw unauthorized();
    if (demands.ownersOnly && principal.role !== 'owner') {
      throw new FootnoteError(
        'role_missing',
        `Only an owner of the tenant may do this; your role is ${principal.role}`,
      );
    }
    requireScope(principal, demands.scope);
    request.principal = principal;
    return true;
  }
}

function requireScope(principal: Principal, needed: KeyScope | null): void {
  if (needed === null || principal.scopes.includes(needed)) return;
  if (principal.kind === 'api_key')
    throw new FootnoteError('scope_missing', `This API key lacks the scope ${needed}`);
  throw new FootnoteError('role_missing', `The role ${principal.role} lacks the scope ${needed}`);
}

function usual(method: string): KeyScope {
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}
