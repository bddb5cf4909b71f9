import { describe, it } from '@jest/globals';

import type { UserEvent } from '#contracts';
import { specify } from '#test/support/decider-spec';

import { sessionDecider } from './session.decider.js';
import { userDecider } from './user.decider.js';

const { given } = specify(userDecider);
const person = {
  user_id: 'u1',
  tenant_id: 't1',
  fingerprints: ['f'.repeat(64)],
  address: 'sealed address',
  display_name: null,
  password: 'sealed hash',
  role: 'owner' as const,
};
const registered: UserEvent = { type: 'UserRegistered', data: person };
const voided: UserEvent = { type: 'UserRegistrationVoided', data: { user_id: 'u1' } };
const closed: UserEvent = { type: 'UserClosed', data: { user_id: 'u1' } };
const register = { type: 'RegisterUser', data: person } as const;
const changePassword = (password: string, verified: string) =>
  ({ type: 'ChangePassword', data: { password, verified } }) as const;
const passwordChanged = (password: string, session_epoch: number): UserEvent => ({
  type: 'UserPasswordChanged',
  data: { user_id: 'u1', password, session_epoch },
});

describe('a user', () => {
  it('is registered once, and never after the registration was voided', () => {
    given().when(register).then(registered);
    given(registered).when(register).thenNothingHappened();
    given(registered, closed).when(register).thenNothingHappened();
    const makeVoid = { type: 'VoidRegistration', data: { user_id: 'u1' } } as const;
    given().when(makeVoid).then(voided);
    given(registered).when(makeVoid).thenNothingHappened();
    given(voided).when(register).thenRefused('address_taken');
  });

  it('ends earlier sessions with each new password, and accepts only one of two concurrent changes', () => {
    given(registered)
      .when(changePassword('second', 'sealed hash'))
      .then(passwordChanged('second', 2));
    const after = [registered, passwordChanged('second', 2)];
    given(...after)
      .when(changePassword('third', 'sealed hash'))
      .thenRefused('concurrent_change');
    given(...after)
      .when(changePassword('third', 'second'))
      .then(passwordChanged('third', 3));
    const revoked: UserEvent = {
      type: 'UserSessionsRevoked',
      data: { user_id: 'u1', session_epoch: 3 },
    };
    given(...after)
      .when({ type: 'RevokeSessions', data: {} })
      .then(revoked);
  });

  it('is renamed only to a different name', () => {
    const renamed: UserEvent = {
      type: 'UserRenamed',
      data: { user_id: 'u1', display_name: 'sealed name' },
    };
    given(registered)
      .when({ type: 'RenameUser', data: { display_name: 'sealed name' } })
      .then(renamed);
    given(registered)
      .when({ type: 'RenameUser', data: { display_name: null } })
      .thenNothingHappened();
  });

  it('is closed permanently', () => {
    given(registered).when({ type: 'CloseUser', data: {} }).then(closed);
    given(registered, closed).when({ type: 'CloseUser', data: {} }).thenNothingHappened();
    given(registered, closed)
      .when(changePassword('x', 'sealed hash'))
      .thenRefused('member_not_found');
    given(registered, closed)
      .when({ type: 'RenameUser', data: { display_name: 'x' } })
      .thenRefused('member_not_found');
    given().when({ type: 'CloseUser', data: {} }).thenRefused('member_not_found');
  });
});

describe('a session', () => {
  const sessions = specify(sessionDecider);
  const data = { session_id: 's1', user_id: 'u1', ends_at: '2026-01-02T00:00:00.000Z' };
  const started = { type: 'SessionStarted', data: { ...data, method: 'password' } } as const;
  const ended = { type: 'SessionEnded', data } as const;

  it('ends once and never returns', () => {
    const start = { type: 'StartSession', data: started.data } as const;
    sessions.given().when(start).then(started);
    sessions.given(started).when({ type: 'EndSession', data }).then(ended);
    sessions.given(started, ended).when({ type: 'EndSession', data }).thenNothingHappened();
    sessions.given(ended).when(start).thenNothingHappened();
    sessions.given(ended, started).when({ type: 'EndSession', data }).thenNothingHappened();
  });
});
