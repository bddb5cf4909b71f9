import type { EntityManager } from 'typeorm';

import { FootnoteError, POLICY_DEFAULTS, type PolicySettings } from '#contracts';

import { policiesTable } from '../tables/policies.table.js';
import { tenantsTable } from '../tables/tenants.table.js';

/** A tenant's current policy. */
export interface TenantPolicy {
  readonly tenant_id: string;
  readonly settings: PolicySettings;
  /** Revision of the policy's stream, or null if it was never changed. */
  readonly revision: bigint | null;
  /** Creation time of the tenant, which has a policy from the start. */
  readonly created_at: string;
  readonly updated_at: string;
}

export type ChangedPolicy = TenantPolicy & { readonly revision: bigint };

/**
 * Returns the policy; the defaults if it was never changed.
 * @throws FootnoteError `not_found` for a tenant that does not exist.
 */
export async function getPolicy(manager: EntityManager, tenantId: string): Promise<TenantPolicy> {
  const tenant = await manager.findOneBy(tenantsTable.entity, { tenant_id: tenantId });
  if (!tenant) throw new FootnoteError('not_found', 'Tenant not found');
  const policy = await manager.findOneBy(policiesTable.entity, { tenant_id: tenantId });
  return {
    tenant_id: tenantId,
    settings: policy?.settings ?? POLICY_DEFAULTS,
    revision: policy ? BigInt(policy.revision) : null,
    created_at: tenant.created_at,
    updated_at: policy?.updated_at ?? tenant.created_at,
  };
}

/** The policies of all tenants that ever changed theirs. */
export async function listChangedPolicies(manager: EntityManager): Promise<ChangedPolicy[]> {
  const rows = await manager.find(policiesTable.entity, { order: { tenant_id: 'ASC' } });
  const tenants = await manager.find(tenantsTable.entity);
  const createdAt = new Map(tenants.map((tenant) => [tenant.tenant_id, tenant.created_at]));
  return rows.map(({ tenant_id, settings, revision, updated_at }) => ({
    tenant_id,
    settings,
    revision: BigInt(revision),
    created_at: createdAt.get(tenant_id) ?? updated_at,
    updated_at,
  }));
}
