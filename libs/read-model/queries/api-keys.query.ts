import type { EntityManager } from 'typeorm';

import type { KeyScope } from '#contracts';
import type { KeyView } from '#contracts/http/index';

import { apiKeysTable } from '../tables/api-keys.table.js';

/** The data to check a request's key. */
export interface ActiveApiKey {
  readonly digest: string;
  readonly tenant_id: string;
  readonly key_id: string;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

/** Returns every key of the tenant, including revoked ones, newest first. */
export async function listApiKeys(manager: EntityManager, tenantId: string): Promise<KeyView[]> {
  const rows = await manager.find(apiKeysTable.entity, {
    where: { tenant_id: tenantId },
    order: { position: 'DESC' },
  });
  return rows.map((row) => ({
    id: row.key_id,
    name: row.name,
    prefix: row.prefix,
    scopes: [...row.scopes],
    created_at: row.created_at,
    expires_at: row.expires_at,
    revoked_at: row.revoked_at,
    last_used_at: row.last_used_at,
  }));
}

/**
 * Returns the keys of all tenants that are not revoked. Expired ones are included, because time
 * passes without events.
 */
export async function listActiveApiKeys(manager: EntityManager): Promise<ActiveApiKey[]> {
  const rows = await manager.find(apiKeysTable.entity, { order: { position: 'ASC' } });
  return rows
    .filter((row) => row.revoked_at === null)
    .map(({ digest, tenant_id, key_id, name, scopes, expires_at, last_used_at }) => ({
      digest,
      tenant_id,
      key_id,
      name,
      scopes,
      expires_at,
      last_used_at,
    }));
}
