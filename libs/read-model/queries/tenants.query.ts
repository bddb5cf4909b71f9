import type { EntityManager } from 'typeorm';

import { type TenantsRow, tenantsTable } from '../tables/tenants.table.js';

export interface TenantView {
  readonly id: string;
  readonly name: string;
  /** Null: the default plan. */
  readonly plan: string | null;
  readonly created_at: string;
  readonly erasure_requested_at: string | null;
  readonly erased_at: string | null;
}

export async function getTenant(
  manager: EntityManager,
  tenantId: string,
): Promise<TenantView | null> {
  const row = await manager.findOneBy(tenantsTable.entity, { tenant_id: tenantId });
  return row ? tenantView(row) : null;
}

/** All tenants, oldest first. */
export async function listTenants(manager: EntityManager): Promise<TenantView[]> {
  const rows = await manager.find(tenantsTable.entity, {
    order: { created_at: 'ASC', tenant_id: 'ASC' },
  });
  return rows.map(tenantView);
}

function tenantView({ tenant_id: id, ...rest }: TenantsRow): TenantView {
  const { name, plan, created_at, erasure_requested_at, erased_at } = rest;
  return { id, name, plan, created_at, erasure_requested_at, erased_at };
}
