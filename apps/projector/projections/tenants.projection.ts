import { tenantsTable } from '#read-model';

import { defineProjection } from '../runner/projection.js';

export const tenantsProjection = defineProjection({
  name: 'tenants',
  version: 1,
  table: tenantsTable,
  handles: ['TenantCreated'],
  keyOf: (event) => [event.tenant_id],
  evolve: (row, { tenant_id, data, occurred_at }) => row ?? { tenant_id, name: data.name, created_at: occurred_at },
});
