import type { KeyScope } from '#contracts';

import { defineTable } from './define-table.js';

export interface ApiKeysRow {
  readonly tenant_id: string;
  readonly key_id: string;
  /** Position of the issue in the log; newest first is descending. */
  readonly position: string;
  readonly name: string;
  readonly prefix: string;
  /** SHA-256 of the secret, lower-case hex. */
  readonly digest: string;
  readonly scopes: readonly KeyScope[];
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}

export const apiKeysTable = defineTable<ApiKeysRow>('api_keys', {
  columns: {
    tenant_id: { type: 'text' },
    key_id: { type: 'text' },
    position: { type: 'text' },
    name: { type: 'text' },
    prefix: { type: 'text' },
    digest: { type: 'text' },
    scopes: { type: 'json' },
    created_at: { type: 'timestamp' },
    expires_at: { type: 'timestamp', nullable: true },
    revoked_at: { type: 'timestamp', nullable: true },
    last_used_at: { type: 'timestamp', nullable: true },
  },
  key: ['tenant_id', 'key_id'],
  indexes: ['tenant_id, position desc'],
});
