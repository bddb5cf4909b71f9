import { randomBytes } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';

import { formatVerifierKey, type NoteSigner, noteSigner } from '#audit';
import { FootnoteError } from '#contracts';
import { type AuditCheckpointState, logDecider } from '#domain';
import { EVENT_STORE, type EventStore, foldStream } from '#event-store';
import { KEY_RING, type KeyRing, type Sealed } from '#platform';

type SigningKey = NonNullable<AuditCheckpointState['key']>;

/** Ed25519 keys that sign the checkpoints of tenants; the key ring seals them. */
@Injectable()
export class SigningKeys {
  constructor(
    @Inject(KEY_RING) private readonly keyRing: KeyRing,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** Returns a new key, as an event stores it. */
  async create(tenantId: string): Promise<SigningKey> {
    const origin = `footnote/${await this.logId()}/${tenantId}`;
    const seed = randomBytes(32);
    const { key } = noteSigner(origin, 'ed25519', seed);
    return {
      tenant_id: tenantId,
      origin,
      key_id: key.id,
      key: formatVerifierKey(key),
      seed: await this.keyRing.seal(tenantId, place(tenantId, key.id), seed.toString('base64')),
    };
  }

  /**
   * Returns the signer of a stored key.
   * @throws FootnoteError `audit_key_missing` if the key ring lost the key.
   */
  async open({ tenant_id, origin, key_id, seed }: SigningKey): Promise<NoteSigner> {
    const opened = await this.keyRing.open(tenant_id, place(tenant_id, key_id), seed as Sealed);
    if (opened === null) {
      const message = `The key ring does not have the audit key ${key_id}; restore the key ring`;
      throw new FootnoteError('audit_key_missing', message);
    }
    return noteSigner(origin, 'ed25519', Buffer.from(opened, 'base64'));
  }

  private async logId(): Promise<string> {
    const { state } = await foldStream(this.store, logDecider, 'log-identity');
    if (state.status === 'absent') throw new Error('The log has no identity; start the service');
    return state.log_id;
  }
}

/** Binds the sealed key to its tenant and id. */
function place(tenantId: string, keyId: string): string {
  return `checkpoint-${tenantId}/${keyId}/seed`;
}
