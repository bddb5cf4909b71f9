import { type Decider, FootnoteError, type MembersEvent, type Role } from '#contracts';

import { defineStream } from '../define-stream.js';

export interface JoinTenant {
  readonly type: 'JoinTenant';
  readonly data: { readonly user_id: string; readonly role: Role };
}

export interface ChangeRole {
  readonly type: 'ChangeRole';
  readonly data: { readonly user_id: string; readonly role: Role };
}

export interface RemoveMember {
  readonly type: 'RemoveMember';
  readonly data: { readonly user_id: string };
}

export type MembersCommand = JoinTenant | ChangeRole | RemoveMember;

/** Roles by user id; null for a removed member. */
export type MembersState = ReadonlyMap<string, Role | null>;

/**
 * Stream `members-<tenant_id>`. One stream decides all demotions and removals: if two owners leave
 * at once, one stays. A removed member does not return: the person is invited again and gets a new
 * account.
 */
export const membersDecider: Decider<MembersCommand, MembersState, MembersEvent> = {
  initial: new Map(),
  decide,
  evolve,
};

export const membersStreams = defineStream({
  pattern: 'members-<tenant_id>',
  decider: membersDecider,
  commands: { JoinTenant: true, ChangeRole: true, RemoveMember: true },
  events: { MemberJoined: true, MemberRoleChanged: true, MemberRemoved: true },
});

/** @throws FootnoteError `member_not_found`, `last_owner`. */
function decide(command: MembersCommand, state: MembersState): readonly MembersEvent[] {
  const { user_id } = command.data;
  const current = state.get(user_id);
  switch (command.type) {
    case 'JoinTenant':
      return current === undefined ? [{ type: 'MemberJoined', data: command.data }] : [];
    case 'ChangeRole':
      if (!current) throw unknown(user_id);
      if (current === command.data.role) return [];
      if (current === 'owner') refuseLast(state, user_id);
      return [{ type: 'MemberRoleChanged', data: command.data }];
    case 'RemoveMember':
      if (current === null) return [];
      if (current === undefined) throw unknown(user_id);
      if (current === 'owner') refuseLast(state, user_id);
      return [{ type: 'MemberRemoved', data: { user_id } }];
  }
}

function refuseLast(state: MembersState, userId: string): void {
  for (const [other, role] of state) if (role === 'owner' && other !== userId) return;
  throw new FootnoteError(
    'last_owner',
    'A tenant must have an owner; make another member an owner first',
  );
}

function unknown(userId: string): FootnoteError {
  return new FootnoteError('member_not_found', `Member ${userId} not found`);
}

function evolve(state: MembersState, event: MembersEvent): MembersState {
  const current = state.get(event.data.user_id);
  switch (event.type) {
    case 'MemberJoined':
      return current === undefined
        ? new Map(state).set(event.data.user_id, event.data.role)
        : state;
    case 'MemberRoleChanged':
      return current ? new Map(state).set(event.data.user_id, event.data.role) : state;
    case 'MemberRemoved':
      return current ? new Map(state).set(event.data.user_id, null) : state;
    default:
      return state;
  }
}
