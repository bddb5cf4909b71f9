import { type CanActivate, Inject, Injectable } from '@nestjs/common';

import { FootnoteError } from '#contracts';
import type { Config } from '#platform';

import { CONFIG } from '../engines/engines.js';

/** Rejects the route with 404 if registration is disabled. */
@Injectable()
export class RegistrationGuard implements CanActivate {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'people'>) {}

  canActivate(): boolean {
    if (this.config.people.allowRegistration) return true;
    throw new FootnoteError('not_found', 'Route not found');
  }
}
