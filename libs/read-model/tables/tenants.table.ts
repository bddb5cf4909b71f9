import { defineTable } from './define-table.js';

export interface TenantsRow {
  readonly tenant_id: string;
  readonly name: string;
  readonly created_at: string;
}

export const tenantsTable = defineTable<TenantsRow>('tenants', {
  columns: { tenant_id: { type: 'text' }, name: { type: 'text' }, created_at: { type: 'timestamp' } },
  key: ['tenant_id'],
});
