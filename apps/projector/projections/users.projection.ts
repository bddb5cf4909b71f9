import { usersTable } from '#read-model';

import { defineProjection } from '../runner/projection.js';

/**
 * People and what ends their sessions. What a closed account knew of a person is gone with its row.
 */
export const usersProjection = defineProjection({
  name: 'users',
  version: 1,
  table: usersTable,
  handles: [
    'UserRegistered',
    'UserRenamed',
    'UserPasswordChanged',
    'UserSessionsRevoked',
    'UserClosed',
    'MemberJoined',
    'MemberRoleChanged',
    'MemberRemoved',
    'SessionEnded',
  ],
  keyOf: (event) => [event.tenant_id, event.data.user_id],
  evolve: (row, event) => {
    switch (event.type) {
      case 'UserRegistered': {
        const { user_id, address, display_name } = event.data;
        const { tenant_id, position, occurred_at: created_at } = event;
        const person = { tenant_id, user_id, position, address, display_name, created_at };
        return row ?? { ...person, role: null, session_epoch: 1, ended_sessions: [] };
      }
      case 'UserRenamed':
        return row && { ...row, display_name: event.data.display_name };
      case 'UserPasswordChanged':
      case 'UserSessionsRevoked':
        return row && { ...row, session_epoch: event.data.session_epoch, ended_sessions: [] };
      case 'UserClosed':
        return undefined;
      case 'MemberJoined':
        return row && { ...row, role: row.role ?? event.data.role };
      case 'MemberRoleChanged':
        return row && { ...row, role: event.data.role };
      case 'MemberRemoved':
        return row && { ...row, role: null };
      case 'SessionEnded': {
        const { session_id: id, ends_at } = event.data;
        const others =
          row?.ended_sessions.filter(
            (each) => each.id !== id && each.ends_at > event.occurred_at,
          ) ?? [];
        return row && { ...row, ended_sessions: [...others, { id, ends_at }] };
      }
    }
  },
});
