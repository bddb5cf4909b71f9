import { apiKeysTable } from '#read-model';

import { defineProjection } from '../runner/projection.js';

export const apiKeysProjection = defineProjection({
  name: 'api_keys',
  version: 2,
  table: apiKeysTable,
  handles: ['ApiKeyIssued', 'ApiKeyRevoked', 'ApiKeyUsed'],
  keyOf: (event) => [event.tenant_id, event.data.key_id],
  evolve: (row, event) => {
    const { tenant_id, occurred_at, position } = event;
    switch (event.type) {
      case 'ApiKeyIssued':
        return (
          row ?? {
            tenant_id,
            position,
            ...event.data,
            created_at: occurred_at,
            revoked_at: null,
            last_used_at: null,
          }
        );
      case 'ApiKeyRevoked':
        return row && { ...row, revoked_at: row.revoked_at ?? occurred_at };
      case 'ApiKeyUsed':
        return row && { ...row, last_used_at: event.data.used_at };
    }
  },
});
