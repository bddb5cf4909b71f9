import { POLICY_DEFAULTS, type PolicySettings } from '#contracts';
import { policiesTable } from '#read-model';

import { defineProjection, type ProjectedEvent } from '../projection/projection.js';

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

function settingsAfter(
  settings: PolicySettings,
  event: ProjectedEvent<'PolicyUpdated' | 'PolicyReset'>,
): PolicySettings {
  if (event.type === 'PolicyReset') return POLICY_DEFAULTS;
  const { changes } = event.data;
  // Absent settings are unchanged; JSON has no undefined, so a spread never unsets one.
  const merged = { ...settings, ...changes } as PolicySettings;
  return { ...merged, source_priorities: { ...settings.source_priorities, ...changes.source_priorities } as never };
}
