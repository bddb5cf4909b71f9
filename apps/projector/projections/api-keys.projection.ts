import { apiKeysTable } from '#read-model';

import { defineProjection } from '../runner/projection.js';

export const apiKeysProjection = defineProjection({
  name: 'api_keys',
  version: 1,
  table: apiKeysTable,
  handles: ['ApiKeyIssued', 'ApiKeyRevoked'],
  keyOf: (event) => [event.tenant_id, event.data.key_id],
  evolve: (row, event) => {
    const { tenant_id, occurred_at, position } = event;
    switch (event.type) {
      case 'ApiKeyIssued':
        return row ?? { tenant_id, position, ...event.data, created_at: occurred_at, revoked_at: null };
      case 'ApiKeyRevoked':
        return row && { ...row, revoked_at: row.revoked_at ?? occurred_at };
    }
  },
});
