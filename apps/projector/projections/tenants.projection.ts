import { tenantsTable } from '#read-model';

import { defineProjection } from '../runner/projection.js';

/** The replacement for erased text. */
const ERASED = '[erased]';

export const tenantsProjection = defineProjection({
  name: 'tenants',
  version: 2,
  table: tenantsTable,
  handles: ['TenantCreated', 'TenantPlanChanged', 'TenantErasureRequested', 'TenantErased'],
  keepsErased: true,
  keyOf: (event) => [event.tenant_id],
  evolve: (row, { type, tenant_id, data, occurred_at }) => {
    switch (type) {
      case 'TenantCreated':
        return (
          row ?? {
            tenant_id,
            name: data.name,
            plan: null,
            created_at: occurred_at,
            erasure_requested_at: null,
            erased_at: null,
          }
        );
      case 'TenantPlanChanged':
        return row && { ...row, plan: data.plan };
      case 'TenantErasureRequested':
        return (
          row && {
            ...row,
            name: ERASED,
            erasure_requested_at: row.erasure_requested_at ?? occurred_at,
          }
        );
      case 'TenantErased':
        return row && { ...row, erased_at: row.erased_at ?? occurred_at };
    }
  },
});
