import { type CanActivate, Inject, Injectable } from '@nestjs/common';

import { FootnoteError } from '#contracts';
import type { Config } from '#platform';

import { CONFIG } from '../engines/engines.js';

/** Rejects the route with 404 if no provider is configured. */
@Injectable()
export class ProviderGuard implements CanActivate {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'identity'>) {}

  canActivate(): boolean {
    if (this.config.identity) return true;
    throw new FootnoteError('not_found', 'Route not found');
  }
}
