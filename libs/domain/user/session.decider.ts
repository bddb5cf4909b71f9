import type { Decider, SessionEvent, SignInMethod } from '#contracts';

import { defineStream } from '../define-stream.js';

export interface StartSession {
  readonly type: 'StartSession';
  readonly data: {
    readonly session_id: string;
    readonly user_id: string;
    readonly method: SignInMethod;
    /** ISO 8601. */
    readonly ends_at: string;
  };
}

export interface EndSession {
  readonly type: 'EndSession';
  readonly data: {
    readonly session_id: string;
    readonly user_id: string;
    readonly ends_at: string;
  };
}

export type SessionCommand = StartSession | EndSession;

export type SessionState =
  { readonly status: 'none' } | { readonly status: 'open' } | { readonly status: 'ended' };

/**
 * Stream `session-<id>`. A session that ended never returns. One that was ended before its start
 * never starts.
 */
export const sessionDecider: Decider<SessionCommand, SessionState, SessionEvent> = {
  initial: { status: 'none' },
  decide: (command, { status }) => {
    switch (command.type) {
      case 'StartSession':
        return status === 'none' ? [{ type: 'SessionStarted', data: command.data }] : [];
      case 'EndSession':
        return status === 'ended' ? [] : [{ type: 'SessionEnded', data: command.data }];
    }
  },
  evolve: ({ status }, event) =>
    event.type === 'SessionEnded' || status === 'ended' ? { status: 'ended' } : { status: 'open' },
};

export const sessionStreams = defineStream({
  pattern: 'session-<session_id>',
  decider: sessionDecider,
  commands: { StartSession: true, EndSession: true },
  events: { SessionStarted: true, SessionEnded: true },
});
