import { describe, it } from '@jest/globals';

import type { MembersEvent, Role } from '#contracts';
import { specify } from '#test/support/decider-spec';

import { membersDecider } from './members.decider.js';

const { given } = specify(membersDecider);
const joined = (user_id: string, role: Role): MembersEvent => ({
  type: 'MemberJoined',
  data: { user_id, role },
});
const removed = (user_id: string): MembersEvent => ({ type: 'MemberRemoved', data: { user_id } });
const changed = (user_id: string, role: Role): MembersEvent => ({
  type: 'MemberRoleChanged',
  data: { user_id, role },
});
const remove = (user_id: string) => ({ type: 'RemoveMember', data: { user_id } }) as const;
const change = (user_id: string, role: Role) =>
  ({ type: 'ChangeRole', data: { user_id, role } }) as const;

describe('the members of a tenant', () => {
  it('join once, and cannot rejoin after removal', () => {
    const join = { type: 'JoinTenant', data: { user_id: 'a', role: 'owner' } } as const;
    given().when(join).then(joined('a', 'owner'));
    given(joined('a', 'member')).when(join).thenNothingHappened();
    given(joined('a', 'member'), removed('a')).when(join).thenNothingHappened();
  });

  it('change their roles', () => {
    given(joined('a', 'member')).when(change('a', 'auditor')).then(changed('a', 'auditor'));
    given(joined('a', 'member')).when(change('a', 'member')).thenNothingHappened();
    given(joined('a', 'member')).when(change('b', 'member')).thenRefused('member_not_found');
    given(joined('a', 'member'), removed('a'))
      .when(change('a', 'owner'))
      .thenRefused('member_not_found');
  });

  it('are removed once', () => {
    const both = [joined('a', 'owner'), joined('b', 'member')];
    given(...both)
      .when(remove('b'))
      .then(removed('b'));
    given(...both, removed('b'))
      .when(remove('b'))
      .thenNothingHappened();
    given(...both)
      .when(remove('c'))
      .thenRefused('member_not_found');
  });

  it('always have an owner', () => {
    const one = [joined('a', 'owner'), joined('b', 'member'), joined('c', 'auditor')];
    given(...one)
      .when(remove('a'))
      .thenRefused('last_owner');
    given(...one)
      .when(change('a', 'member'))
      .thenRefused('last_owner');
    const two = [...one, changed('b', 'owner')];
    given(...two)
      .when(remove('a'))
      .then(removed('a'));
    given(...two, removed('a'))
      .when(change('b', 'member'))
      .thenRefused('last_owner');
    given(...two, changed('a', 'auditor'))
      .when(remove('b'))
      .thenRefused('last_owner');
  });
});
