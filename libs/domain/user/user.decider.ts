import { type Decider, FootnoteError, type Role, type UserEvent } from '#contracts';

import { defineStream } from '../define-stream.js';

/** Personal fields are sealed. */
export interface RegisterUser {
  readonly type: 'RegisterUser';
  readonly data: {
    readonly user_id: string;
    readonly tenant_id: string;
    readonly fingerprints: string[];
    readonly address: string;
    readonly display_name: string | null;
    readonly password: string | null;
    readonly role: Role;
  };
}

/** Prevents any registration in this stream, unless it already has one. */
export interface VoidRegistration {
  readonly type: 'VoidRegistration';
  readonly data: { readonly user_id: string };
}

export interface RenameUser {
  readonly type: 'RenameUser';
  readonly data: { readonly display_name: string | null };
}

export interface ChangePassword {
  readonly type: 'ChangePassword';
  readonly data: {
    readonly password: string;
    /**
     * The sealed hash that the old password was verified against. A concurrent change of the
     * password makes this command fail.
     */
    readonly verified: string;
  };
}

export interface RevokeSessions {
  readonly type: 'RevokeSessions';
  readonly data: Readonly<Record<string, never>>;
}

export interface CloseUser {
  readonly type: 'CloseUser';
  readonly data: Readonly<Record<string, never>>;
}

export type UserCommand =
  RegisterUser | VoidRegistration | RenameUser | ChangePassword | RevokeSessions | CloseUser;

interface KnownUser {
  readonly user_id: string;
  readonly tenant_id: string;
  readonly fingerprints: readonly string[];
  readonly address: string;
  readonly display_name: string | null;
  readonly password: string | null;
  readonly role: Role;
  /** Sessions of an earlier epoch have ended. */
  readonly session_epoch: number;
}

export type UserState =
  | { readonly status: 'absent' }
  | { readonly status: 'voided' }
  | (KnownUser & { readonly status: 'active' })
  | (KnownUser & { readonly status: 'closed' });

/**
 * Stream `user-<id>`. `role` is the initial role of the person; `members-<tenant>` records the
 * current one.
 */
export const userDecider: Decider<UserCommand, UserState, UserEvent> = {
  initial: { status: 'absent' },
  decide,
  evolve,
};

export const userStreams = defineStream({
  pattern: 'user-<user_id>',
  decider: userDecider,
  commands: {
    RegisterUser: true,
    VoidRegistration: true,
    RenameUser: true,
    ChangePassword: true,
    RevokeSessions: true,
    CloseUser: true,
  },
  events: {
    UserRegistered: true,
    UserRegistrationVoided: true,
    UserRenamed: true,
    UserPasswordChanged: true,
    UserSessionsRevoked: true,
    UserClosed: true,
  },
});

/**
 * @throws FootnoteError `member_not_found` if there is no account; `concurrent_change`;
 * `address_taken` after VoidRegistration.
 */
function decide(command: UserCommand, state: UserState): readonly UserEvent[] {
  switch (command.type) {
    case 'RegisterUser':
      if (state.status === 'voided') {
        throw new FootnoteError(
          'address_taken',
          'The registration took too long, and another account took the address',
        );
      }
      return state.status === 'absent' ? [{ type: 'UserRegistered', data: command.data }] : [];
    case 'VoidRegistration':
      return state.status === 'absent'
        ? [{ type: 'UserRegistrationVoided', data: command.data }]
        : [];
    case 'RenameUser': {
      const { user_id, display_name } = active(state);
      const next = command.data.display_name;
      return next === display_name
        ? []
        : [{ type: 'UserRenamed', data: { user_id, display_name: next } }];
    }
    case 'ChangePassword': {
      const { user_id, password, session_epoch } = active(state);
      if (password !== command.data.verified) {
        throw new FootnoteError(
          'concurrent_change',
          'Another request changed the password; sign in again',
        );
      }
      const data = { user_id, password: command.data.password, session_epoch: session_epoch + 1 };
      return [{ type: 'UserPasswordChanged', data }];
    }
    case 'RevokeSessions': {
      const { user_id, session_epoch } = active(state);
      return [{ type: 'UserSessionsRevoked', data: { user_id, session_epoch: session_epoch + 1 } }];
    }
    case 'CloseUser':
      if (state.status === 'closed') return [];
      return [{ type: 'UserClosed', data: { user_id: active(state).user_id } }];
  }
}

function active(state: UserState): KnownUser {
  if (state.status === 'active') return state;
  throw new FootnoteError('member_not_found', 'Account not found');
}

function evolve(state: UserState, event: UserEvent): UserState {
  switch (event.type) {
    case 'UserRegistered':
      return state.status === 'absent'
        ? { status: 'active', session_epoch: 1, ...event.data }
        : state;
    case 'UserRegistrationVoided':
      return state.status === 'absent' ? { status: 'voided' } : state;
    case 'UserRenamed':
      return state.status === 'active'
        ? { ...state, display_name: event.data.display_name }
        : state;
    case 'UserPasswordChanged':
      if (state.status !== 'active') return state;
      return { ...state, password: event.data.password, session_epoch: event.data.session_epoch };
    case 'UserSessionsRevoked':
      return state.status === 'active'
        ? { ...state, session_epoch: event.data.session_epoch }
        : state;
    case 'UserClosed':
      return state.status === 'active' ? { ...state, status: 'closed' } : state;
    default:
      return state;
  }
}
