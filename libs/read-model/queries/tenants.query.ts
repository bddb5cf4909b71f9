import type { EntityManager } from 'typeorm';

import { tenantsTable, type TenantsRow } from '../tables/tenants.table.js';

export interface TenantView {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
}

export async function getTenant(manager: EntityManager, tenantId: string): Promise<TenantView | null> {
  const row = await manager.findOneBy(tenantsTable.entity, { tenant_id: tenantId });
  return row ? tenantView(row) : null;
}

/** All tenants, oldest first. */
export async function tenants(manager: EntityManager): Promise<TenantView[]> {
  const rows = await manager.find(tenantsTable.entity, { order: { created_at: 'ASC', tenant_id: 'ASC' } });
  return rows.map(tenantView);
}

function tenantView(row: TenantsRow): TenantView {
  return { id: row.tenant_id, name: row.name, created_at: row.created_at };
}
