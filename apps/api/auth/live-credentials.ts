import { Injectable } from '@nestjs/common';

import { KnownApiKeys } from './known-api-keys.js';
import type { Principal } from './principal.js';
import { Sessions } from './sessions.js';

/**
 * Whether credentials go on being good, for what lasts longer than the request that brought them.
 */
@Injectable()
export class LiveCredentials {
  constructor(
    private readonly keys: KnownApiKeys,
    private readonly sessions: Sessions,
  ) {}

  /** Whether the state of the credentials is known now. */
  isKnown({ kind }: Principal): boolean {
    return kind === 'api_key' ? this.keys.ready : this.sessions.ready;
  }

  /** False once they were revoked or have expired, at the latest a second after. */
  isLive(principal: Principal): boolean {
    return principal.kind === 'api_key'
      ? this.keys.isLive(principal.keyId)
      : this.sessions.isLive(principal);
  }
}
