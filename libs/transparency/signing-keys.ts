import { randomBytes } from 'node:crypto';

import { formatVerifierKey, type NoteSigner, noteSigner } from '#audit';
import { FootnoteError } from '#contracts';
import { type AuditSigningKey, logDecider } from '#domain';
import { type EventStore, foldStream } from '#event-store';
import type { KeyRing, Sealed } from '#platform';

export interface SigningKeysDependencies {
  readonly keyRing: KeyRing;
  readonly store: Pick<EventStore, 'read'>;
}

/**
 * Ed25519 keys that sign the checkpoints of tenants. The key ring seals them, and events store the
 * sealed text, as they store every other secret of a tenant.
 */
export class SigningKeys {
  constructor(private readonly dependencies: SigningKeysDependencies) {}

  /** Returns a new key, as an event stores it. */
  async create(tenantId: string): Promise<AuditSigningKey> {
    const origin = `footnote/${await this.logId()}/${tenantId}`;
    const seed = randomBytes(32);
    const { key } = noteSigner(origin, 'ed25519', seed);
    const { keyRing } = this.dependencies;
    return {
      tenant_id: tenantId,
      origin,
      key_id: key.id,
      key: formatVerifierKey(key),
      seed: await keyRing.seal(tenantId, place(tenantId, key.id), seed.toString('base64')),
    };
  }

  /**
   * Returns the signer of a stored key.
   * @throws FootnoteError `audit_key_missing` if the key ring lost the key.
   */
  async open({ tenant_id, origin, key_id, seed }: AuditSigningKey): Promise<NoteSigner> {
    const { keyRing } = this.dependencies;
    const opened = await keyRing.open(tenant_id, place(tenant_id, key_id), seed as Sealed);
    if (opened === null) {
      const message = `The key ring does not have the audit key ${key_id}; restore the key ring`;
      throw new FootnoteError('audit_key_missing', message);
    }
    return noteSigner(origin, 'ed25519', Buffer.from(opened, 'base64'));
  }

  private async logId(): Promise<string> {
    const { state } = await foldStream(this.dependencies.store, logDecider, 'log-identity');
    if (state.status === 'absent') throw new Error('The log has no identity; start the service');
    return state.log_id;
  }
}

/** Binds the sealed key to its tenant and id. */
function place(tenantId: string, keyId: string): string {
  return `checkpoint-${tenantId}/${keyId}/seed`;
}
