import { defineTable } from './define-table.js';

export interface TenantsRow {
  readonly tenant_id: string;
  readonly name: string;
  /** Null: the default plan. */
  readonly plan: string | null;
  readonly created_at: string;
  /** Time of the erasure request; from then on every request of the tenant is rejected. */
  readonly erasure_requested_at: string | null;
  /** Time at which all its data was destroyed. */
  readonly erased_at: string | null;
}

export const tenantsTable = defineTable<TenantsRow>('tenants', {
  columns: {
    tenant_id: { type: 'text' },
    name: { type: 'text' },
    plan: { type: 'text', nullable: true },
    created_at: { type: 'timestamp' },
    erasure_requested_at: { type: 'timestamp', nullable: true },
    erased_at: { type: 'timestamp', nullable: true },
  },
  key: ['tenant_id'],
});
