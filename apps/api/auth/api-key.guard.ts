import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';

import { FootnoteError, KEY_SCOPES, type KeyScope } from '#contracts';

import { KeyUsage } from './key-usage.js';
import { KnownApiKeys } from './known-api-keys.js';
import { NEEDED_SCOPE, OWNER_ROUTE, PUBLIC_ROUTE } from './access.decorators.js';
import { credentialOf, unauthorized } from './credentials.js';
import type { Principal } from './principal.js';

/** Lets a request through that carries a live key of the needed scope, and notes on it whom it speaks for. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: KnownApiKeys,
    private readonly usage: KeyUsage,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const places = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC_ROUTE, places)) return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const credential = credentialOf(request.headers);
    if (!this.keys.ready) {
      const why = this.keys.projection.hasCaughtUp ? 'is cut off from its event log' : 'is starting';
      throw new FootnoteError('engine_unavailable', `The service ${why}; repeat the request`, { retryAfter: 1 });
    }
    const principal = this.keys.principalOf(credential);
    if (!principal) throw unauthorized();
    const needed =
      this.reflector.getAllAndOverride<KeyScope | undefined>(NEEDED_SCOPE, places) ?? usual(request.method);
    if (!principal.scopes.includes(needed)) {
      throw new FootnoteError('scope_missing', `This API key lacks the scope ${needed}`);
    }
    if (this.reflector.getAllAndOverride<boolean | undefined>(OWNER_ROUTE, places)) requireOwner(principal);
    request.principal = principal;
    this.usage.note(principal);
    return true;
  }
}

function requireOwner({ scopes }: Principal): void {
  if (KEY_SCOPES.every((scope) => scopes.includes(scope))) return;
  const all = KEY_SCOPES.join(', ');
  throw new FootnoteError('scope_missing', `Only the owner may do this: an API key with every scope (${all})`);
}

function usual(method: string): KeyScope {
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}
