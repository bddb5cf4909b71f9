import { createHmac, randomBytes } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';

import { FootnoteError, type StreamName, SYSTEM_TENANT } from '#contracts';
import { fingerprintKeyDecider } from '#domain';
import {
  commandContext,
  EVENT_STORE,
  type EventStore,
  foldStream,
  handleCommand,
} from '#event-store';
import { CLOCK, type Clock, KEY_RING, type KeyRing, type Sealed } from '#platform';

import { normalizedAddress } from './mail-address.js';

const STREAM: StreamName = 'fingerprint-key';
const CONTEXT = `${STREAM}/key`;

/**
 * Keyed hashes of sign-in names, which identify accounts although no name is in the log in the
 * clear. The key is made once for the life of the log, and sealed with the service's own key in the
 * key ring. The log alone allows no guess.
 */
@Injectable()
export class Fingerprints {
  private loaded: Promise<Buffer> | undefined;

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(KEY_RING) private readonly keyRing: KeyRing,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  ofAddress(address: string): Promise<string> {
    return this.of('address', normalizedAddress(address));
  }

  /** Returns the fingerprint of a person at an OpenID provider. */
  ofSubject(issuer: string, subject: string): Promise<string> {
    return this.of('oidc', issuer, subject);
  }

  /** Lower-case hex. Parts are length-prefixed, so that `['a', 'bc']` and `['ab', 'c']` differ. */
  async of(kind: string, ...parts: readonly string[]): Promise<string> {
    const text = [kind, ...parts].map((part) => `${part.length}:${part}`).join('|');
    return createHmac('sha256', await this.key())
      .update(text)
      .digest('hex');
  }

  private key(): Promise<Buffer> {
    this.loaded ??= this.load().catch((error: unknown) => {
      this.loaded = undefined;
      throw error;
    });
    return this.loaded;
  }

  private async load(): Promise<Buffer> {
    const { state } = await foldStream(this.store, fingerprintKeyDecider, STREAM);
    const sealed = state.sealed ?? (await this.make());
    const key = await this.keyRing.open(SYSTEM_TENANT, CONTEXT, sealed as Sealed);
    if (key === null) {
      const message =
        'Accounts cannot be found: the key ring lacks the key of their names, which the operator has to put back';
      throw new FootnoteError('engine_unavailable', message, { retryAfter: 60 });
    }
    return Buffer.from(key, 'base64');
  }

  /** Returns the key in the log, also if several processes create one at once. */
  private async make(): Promise<string> {
    const key = randomBytes(32).toString('base64');
    const sealed = await this.keyRing.seal(SYSTEM_TENANT, CONTEXT, key);
    const { state } = await handleCommand({
      store: this.store,
      decider: fingerprintKeyDecider,
      stream: STREAM,
      expected: 'any',
      decide: (current) =>
        fingerprintKeyDecider.decide({ type: 'MakeFingerprintKey', data: { sealed } }, current),
      context: commandContext(this.clock, {
        tenant_id: SYSTEM_TENANT,
        actor: { type: 'system', id: 'people' },
      }),
      clock: this.clock,
    });
    if (state.sealed === null) throw new Error('The key of the sign-in names was not made');
    return state.sealed;
  }
}
