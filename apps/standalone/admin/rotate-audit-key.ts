import { FootnoteError } from '#contracts';
import { tenantDecider } from '#domain';
import { commandContext, type EventStore, foldStream } from '#event-store';
import type { Clock, Config, KeyRing } from '#platform';
import type { ReadModel } from '#read-model';
import { createTransparency } from '#transparency';

import type { OperatorRun } from './operator/recorded-run.js';

export interface RotateAuditKeyDependencies {
  readonly eventStore: EventStore;
  readonly readModel: Pick<ReadModel, 'ask' | 'waitFor'>;
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly config: Pick<Config, 'audit'>;
}

/** The key that signs from now on. */
interface RotatedKey {
  readonly tenant_id: string;
  /** Public key. */
  readonly key: string;
}

/**
 * Makes a new key the one that signs the checkpoints of a tenant. Earlier keys still verify earlier
 * checkpoints.
 * @throws FootnoteError `not_found` if the tenant does not exist or is erased.
 */
export async function rotateAuditKey(
  dependencies: RotateAuditKeyDependencies,
  tenantId: string,
  run: OperatorRun,
): Promise<RotatedKey> {
  const { eventStore: store, readModel, keyRing, clock, config } = dependencies;
  const { state } = await foldStream(store, tenantDecider, `tenant-${tenantId}`);
  if (state.status !== 'active') throw new FootnoteError('not_found', 'Tenant not found');
  const { signer } = createTransparency({
    store,
    readModel,
    keyRing,
    clock,
    settings: config.audit,
  });
  const context = commandContext(clock, { ...run, tenant_id: tenantId });
  const { key } = (await signer.rotate(tenantId, context)).state;
  if (!key) throw new Error(`The tenant ${tenantId} has no audit key after its rotation`);
  return { tenant_id: tenantId, key: key.key };
}
