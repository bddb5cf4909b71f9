import { invitationsTable } from '#read-model';

import { defineProjection } from '../runner/projection.js';

export const invitationsProjection = defineProjection({
  name: 'invitations',
  version: 1,
  table: invitationsTable,
  handles: ['InvitationIssued', 'InvitationAccepted', 'InvitationRevoked'],
  keyOf: (event) => [event.tenant_id, event.data.invitation_id],
  evolve: (row, event) => {
    const { tenant_id, occurred_at, position } = event;
    switch (event.type) {
      case 'InvitationIssued': {
        const { invitation_id, role, address, expires_at } = event.data;
        const issued = {
          tenant_id,
          invitation_id,
          position,
          role,
          address,
          created_at: occurred_at,
          expires_at,
        };
        return row ?? { ...issued, accepted_at: null, accepted_by: null, revoked_at: null };
      }
      case 'InvitationAccepted':
        return row && { ...row, accepted_at: occurred_at, accepted_by: event.data.user_id };
      case 'InvitationRevoked':
        return row && { ...row, revoked_at: occurred_at };
    }
  },
});
