import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { SYSTEM_TENANT } from '#contracts';

import { carriesApiKey } from '../auth/credentials.js';
import { Sessions } from '../auth/sessions.js';
import { networkOf } from '../rate-limits/address-subject.js';
import { Refusals } from '../refusals/refusals.js';
import { refusedSubject } from '../refusals/refused-subject.js';
import type { ErrorAnswer } from './error-answer.js';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Longest pattern of a route in an event, characters. */
const MAX_ROUTE = 200;

/**
 * Records requests that were rejected for their credentials, for the state of a resource or for a
 * limit. Nothing that the client typed is recorded: neither path, headers nor body.
 */
@Injectable()
export class RefusedRequests {
  constructor(
    private readonly refusals: Refusals,
    private readonly sessions: Sessions,
  ) {}

  note(request: FastifyRequest, { status, body }: ErrorAnswer, error: unknown): void {
    if (!isRefusal(status, request.method)) return;
    const subject = refusedSubject(error);
    const principal = request.principal ?? request.identified;
    if (!principal && !subject && body.code === 'unauthorized' && !this.triesCredentials(request))
      return;
    const route = `${request.method} ${request.routeOptions.url ?? '(none)'}`.slice(0, MAX_ROUTE);
    this.refusals.note({
      tenantId: principal?.tenantId ?? subject?.tenantId ?? SYSTEM_TENANT,
      actor: principal?.actor ?? { type: 'anonymous', id: networkOf(request.ip) },
      code: body.code,
      status,
      route,
      http: {
        request_id: request.id,
        ip: request.ip,
        method: request.method,
        path: routePath(request),
      },
      userId: subject?.userId ?? null,
      accountDigest: subject?.accountDigest ?? null,
      sourceId: subject?.sourceId ?? null,
    });
  }

  private triesCredentials(request: FastifyRequest): boolean {
    return carriesApiKey(request.headers) || this.sessions.carriesSession(request);
  }
}

/** Returns whether an answer refuses a request that was well-formed. */
function isRefusal(status: number, method: string): boolean {
  if (status === 401 || status === 429) return true;
  return (status === 409 || status === 412) && !READS.has(method);
}

function routePath({ routeOptions: { url } }: FastifyRequest): string {
  return url ?? '/';
}
