import type { EntityManager } from 'typeorm';

import type { KeyScope } from '#contracts';
import type { KeyView } from '#contracts/http/index';

import { apiKeysTable } from '../tables/api-keys.table.js';

/** What a request's key is checked against. */
export interface ActiveApiKey {
  readonly digest: string;
  readonly tenant_id: string;
  readonly key_id: string;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

/** Every key of the tenant, revoked ones too, newest first. */
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
 * The keys of all tenants that are not revoked. Expired ones are among them: time passes without
 * events.
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
