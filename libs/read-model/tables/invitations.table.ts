import type { Role } from '#contracts';

import { defineTable } from './define-table.js';

export interface InvitationsRow {
  readonly tenant_id: string;
  readonly invitation_id: string;
  /** Position of the issue in the log; newest first is descending. */
  readonly position: string;
  readonly role: Role;
  /** Sealed; null: for anybody with the link. */
  readonly address: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly accepted_at: string | null;
  readonly accepted_by: string | null;
  readonly revoked_at: string | null;
}

export const invitationsTable = defineTable<InvitationsRow>('invitations', {
  columns: {
    tenant_id: { type: 'text' },
    invitation_id: { type: 'text' },
    position: { type: 'text' },
    role: { type: 'text' },
    address: { type: 'text', nullable: true },
    created_at: { type: 'timestamp' },
    expires_at: { type: 'timestamp' },
    accepted_at: { type: 'timestamp', nullable: true },
    accepted_by: { type: 'text', nullable: true },
    revoked_at: { type: 'timestamp', nullable: true },
  },
  key: ['tenant_id', 'invitation_id'],
  indexes: ['tenant_id, position desc'],
});
