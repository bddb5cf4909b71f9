import { POLICY_DEFAULTS } from '#contracts';
import { settingsAfter } from '#domain';
import { policiesTable } from '#read-model';

import { defineProjection } from '../runner/projection.js';

export const policiesProjection = defineProjection({
  name: 'policies',
  version: 1,
  table: policiesTable,
  handles: ['PolicyUpdated', 'PolicyReset'],
  keyOf: (event) => [event.tenant_id],
  evolve: (row, event) => ({
    tenant_id: event.tenant_id,
    settings: settingsAfter(row?.settings ?? POLICY_DEFAULTS, event),
    revision: event.revision,
    updated_at: event.occurred_at,
  }),
});
