import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA, RouteParamtypes } from '@nestjs/common/internal';
import type { FastifyRequest } from 'fastify';

import { validationFailed } from '#contracts';

/**
 * Refuses a query string or a body that the handler does not take, as it would an unknown field. An
 * empty object counts as no body. What a handler does take is for the validation pipe.
 */
@Injectable()
export class UndeclaredInputGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const taken = takenBy(context);
    const [parameter] = Object.keys((request.query as object | null) ?? {});
    if (parameter !== undefined && !taken.has(RouteParamtypes.QUERY)) {
      throw validationFailed([
        { field: parameter.slice(0, 64), message: 'is not a known parameter' },
      ]);
    }
    if (!taken.has(RouteParamtypes.BODY) && !isEmpty(request.body)) {
      throw validationFailed([
        { field: 'body', message: 'must be empty: this endpoint takes none' },
      ]);
    }
    return true;
  }
}

/** The kinds of input (`RouteParamtypes`) that the handler's parameters declare. */
function takenBy(context: ExecutionContext): ReadonlySet<number> {
  const declared = Reflect.getMetadata(
    ROUTE_ARGS_METADATA,
    context.getClass(),
    context.getHandler().name,
  ) as Readonly<Record<string, unknown>> | undefined;
  return new Set(Object.keys(declared ?? {}).map((key) => Number(key.split(':')[0])));
}

function isEmpty(body: unknown): boolean {
  if (body === undefined) return true;
  return (
    typeof body === 'object' &&
    body !== null &&
    !Array.isArray(body) &&
    Object.keys(body).length === 0
  );
}
