import { Injectable } from '@nestjs/common';

import { KnownApiKeys } from './known-api-keys.js';
import type { Principal } from './principal.js';
import { Sessions } from './sessions.js';

/** Checks whether credentials are still valid, for work that outlasts its request. */
@Injectable()
export class LiveCredentials {
  constructor(
    private readonly keys: KnownApiKeys,
    private readonly sessions: Sessions,
  ) {}

  /** Returns whether the state of the credentials is known now. */
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
