import type { Role } from '#contracts';

import { defineTable } from './define-table.js';

/** A session that was ended before its expiry. */
export interface EndedSession {
  readonly id: string;
  readonly ends_at: string;
}

/**
 * People with an account; a closed one has no row. Personal fields are sealed here as in the log.
 */
export interface UsersRow {
  readonly tenant_id: string;
  readonly user_id: string;
  /** Position of the registration in the log; newest first is descending. */
  readonly position: string;
  readonly address: string;
  readonly display_name: string | null;
  /** Null before the person joined the tenant, and after the removal from it. */
  readonly role: Role | null;
  /** Sessions of an earlier epoch have ended. */
  readonly session_epoch: number;
  /** Sessions of this epoch that were ended and are not yet expired. */
  readonly ended_sessions: readonly EndedSession[];
  readonly created_at: string;
}

export const usersTable = defineTable<UsersRow>('users', {
  columns: {
    tenant_id: { type: 'text' },
    user_id: { type: 'text' },
    position: { type: 'text' },
    address: { type: 'text' },
    display_name: { type: 'text', nullable: true },
    role: { type: 'text', nullable: true },
    session_epoch: { type: 'integer' },
    ended_sessions: { type: 'json' },
    created_at: { type: 'timestamp' },
  },
  key: ['tenant_id', 'user_id'],
  indexes: ['tenant_id, position desc'],
});
