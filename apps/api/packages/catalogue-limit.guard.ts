import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { FootnoteError } from '#contracts';
import { CLOCK, type Clock, type Config, growingCache } from '#platform';

import { CONFIG } from '../engines/engines.js';

const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 50_000;

interface Window {
  readonly endsAt: number;
  requests: number;
}

/**
 * Bounds what one address asks of the public catalogue, in memory and by process: nobody needs
 * credentials for it.
 */
@Injectable()
export class CatalogueLimit implements CanActivate {
  private readonly windows = growingCache<Window>(MAX_ADDRESSES);

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const { ip } = context.switchToHttp().getRequest<FastifyRequest>();
    const now = this.clock.monotonic();
    const known = this.windows.get(ip);
    const window = known && now < known.endsAt ? known : { endsAt: now + WINDOW_MS, requests: 0 };
    if (window.requests >= this.config.packageSearch.catalogueRequestsPerMinute) {
      const retryAfter = Math.max(1, Math.ceil((window.endsAt - now) / 1_000));
      throw new FootnoteError(
        'rate_limited',
        'Too many requests to the catalogue from this address',
        { retryAfter },
      );
    }
    window.requests += 1;
    this.windows.set(ip, window);
    return true;
  }
}
