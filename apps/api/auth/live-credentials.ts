import { Injectable } from '@nestjs/common';

import { KnownApiKeys } from './known-api-keys.js';
import type { Principal } from './principal.js';
import { Sessions } from './sessions.js';

/** Credentials that ended are noticed at the latest after this time, milliseconds. */
const CHECK_MS = 500;

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

  /**
   * Calls `ended` within half a second after credentials were revoked, have expired or cannot be
   * checked any more; then again until it is stopped.
   * @param principal undefined for work of the service itself, which never ends this way.
   * @returns a function that stops the watch.
   */
  watch(principal: Principal | undefined, ended: () => void): () => void {
    const timer = setInterval(() => {
      if (principal && !(this.isKnown(principal) && this.isLive(principal))) ended();
    }, CHECK_MS);
    return () => clearInterval(timer);
  }
}
