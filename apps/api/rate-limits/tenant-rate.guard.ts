import '../auth/principal.js';

import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { RateLimits } from './rate-limits.js';

/**
 * Counts a request to its tenant if the head alone did not identify the tenant; must run right
 * after authentication.
 */
@Injectable()
export class TenantRateGuard implements CanActivate {
  constructor(private readonly limits: RateLimits) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.principal) await this.limits.countTenant(request, request.principal.tenantId);
    return true;
  }
}
