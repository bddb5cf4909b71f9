import type { EntityManager } from 'typeorm';

import { POLICY_DEFAULTS, type PolicySettings } from '#contracts';

import { policiesTable, type PoliciesRow } from '../tables/policies.table.js';
import { tenantsTable, type TenantsRow } from '../tables/tenants.table.js';

/** A tenant's policy as it stands. */
export interface TenantPolicy {
  readonly tenant_id: string;
  readonly settings: PolicySettings;
  /** Revision of the policy's stream, or -1 while it was never changed. */
  readonly revision: number;
  /** A policy is there from the tenant's first day. */
  readonly created_at: string;
  readonly updated_at: string;
}

/** Undefined for a tenant that does not exist. */
export async function getPolicy(manager: EntityManager, tenantId: string): Promise<TenantPolicy | undefined> {
  const tenant = await manager.findOneBy(tenantsTable.entity, { tenant_id: tenantId });
  const policy = await manager.findOneBy(policiesTable.entity, { tenant_id: tenantId });
  return tenant ? tenantPolicy(tenant, policy) : undefined;
}

/** The policies of all tenants. */
export async function policies(manager: EntityManager): Promise<TenantPolicy[]> {
  const rows = await manager.find(policiesTable.entity);
  const byTenant = new Map(rows.map((row) => [row.tenant_id, row]));
  const tenants = await manager.find(tenantsTable.entity, { order: { tenant_id: 'ASC' } });
  return tenants.map((tenant) => tenantPolicy(tenant, byTenant.get(tenant.tenant_id) ?? null));
}

function tenantPolicy(tenant: TenantsRow, policy: PoliciesRow | null): TenantPolicy {
  return {
    tenant_id: tenant.tenant_id,
    settings: policy?.settings ?? POLICY_DEFAULTS,
    revision: policy?.revision ?? -1,
    created_at: tenant.created_at,
    updated_at: policy?.updated_at ?? tenant.created_at,
  };
}
