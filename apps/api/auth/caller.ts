import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { type Actor, FootnoteError, type HttpContext, type KeyScope } from '#contracts';

import { unauthorized } from './credentials.js';
import type { Principal } from './principal.js';

/** The facts about a request that do not depend on its sender. */
export interface Visitor {
  readonly requestId: string;
  readonly http: HttpContext;
  /** Method and pattern of the route, such as `POST /sources/:source_id/sync`. */
  readonly route: string;
  /** Path parameters by name. */
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly idempotencyKey: string | undefined;
}

/**
 * The request as use cases see it: whom it speaks for and what auditors will want to know of it.
 */
export interface Caller extends Visitor {
  readonly tenantId: string;
  readonly actor: Actor;
  readonly scopes: readonly KeyScope[];
  /**
   * End of the API key of the request, milliseconds since the epoch; null for never, and for a
   * person.
   */
  readonly expiresAt: number | null;
  /** The authenticated principal; undefined for work of the service itself. */
  readonly principal?: Principal;
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;
const MAX_USER_AGENT = 256;

/** Injects the caller of a route that is not public. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller => {
    return callerOf(context.switchToHttp().getRequest<FastifyRequest>());
  },
);

/** Injects the known facts about a request, whether authenticated or not. */
export const CurrentVisitor = createParamDecorator(
  (_: unknown, context: ExecutionContext): Visitor => {
    return visitorOf(context.switchToHttp().getRequest<FastifyRequest>());
  },
);

function visitorOf(request: FastifyRequest): Visitor {
  const http = httpContextOf(request);
  return {
    requestId: request.id,
    http,
    route: `${request.method} ${request.routeOptions.url ?? http.path}`,
    pathParameters: { ...(request.params as Record<string, string> | undefined) },
    idempotencyKey: idempotencyKeyOf(request),
  };
}

function callerOf(request: FastifyRequest): Caller {
  const principal = request.principal;
  if (!principal) throw unauthorized();
  return {
    tenantId: principal.tenantId,
    actor: principal.actor,
    scopes: principal.scopes,
    // A key that a person creates outlives their session.
    expiresAt: principal.kind === 'api_key' ? principal.expiresAt : null,
    principal,
    ...visitorOf(request),
  };
}

/** The request data for audits. */
export function httpContextOf(request: FastifyRequest): HttpContext {
  const userAgent = request.headers['user-agent'];
  return {
    request_id: request.id,
    ip: request.ip,
    ...(userAgent === undefined ? {} : { user_agent: printable(userAgent) }),
    method: request.method,
    path: request.url.split('?', 1)[0] ?? '/',
  };
}

function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const given = request.headers['idempotency-key'];
  if (given === undefined || request.method !== 'POST') return undefined;
  if (typeof given !== 'string' || !IDEMPOTENCY_KEY.test(given)) {
    throw new FootnoteError(
      'validation_failed',
      'Idempotency-Key must have 1 to 255 visible ASCII characters',
      {
        details: [
          { field: 'Idempotency-Key', message: 'must have 1 to 255 visible ASCII characters' },
        ],
      },
    );
  }
  return given;
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_USER_AGENT);
}
