import { type CanActivate, Inject, Injectable } from '@nestjs/common';

import { FootnoteError } from '#contracts';
import type { Config } from '#platform';

import { CONFIG } from '../engines/engines.js';

/** Where strangers may not make tenants, the route is not there. */
@Injectable()
export class RegistrationGuard implements CanActivate {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'people'>) {}

  canActivate(): boolean {
    if (this.config.people.allowRegistration) return true;
    throw new FootnoteError('not_found', 'Route not found');
  }
}
