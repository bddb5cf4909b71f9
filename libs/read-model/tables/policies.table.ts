import type { PolicySettings } from '#contracts';

import { defineTable } from './define-table.js';

/** Changed policies. A tenant that never changed its policy has no row and uses the defaults. */
export interface PoliciesRow {
  readonly tenant_id: string;
  readonly settings: PolicySettings;
  /** Revision of the policy's stream that the settings reflect. */
  readonly revision: number;
  readonly updated_at: string;
}

export const policiesTable = defineTable<PoliciesRow>('policies', {
  columns: {
    tenant_id: { type: 'text' },
    settings: { type: 'json' },
    revision: { type: 'bigint' },
    updated_at: { type: 'timestamp' },
  },
  key: ['tenant_id'],
});
