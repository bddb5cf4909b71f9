import type { Decider, LogEvent } from '#contracts';

import { defineStream } from '../define-stream.js';

export interface CreateLog {
  readonly type: 'CreateLog';
  readonly data: { readonly log_id: string };
}

export type LogCommand = CreateLog;

export type LogState =
  { readonly status: 'absent' } | { readonly status: 'created'; readonly log_id: string };

/** Stream `log-identity`, one per log. If several processes create it at once, one succeeds. */
export const logDecider: Decider<LogCommand, LogState, LogEvent> = {
  initial: { status: 'absent' },
  decide,
  evolve,
};

export const logStreams = defineStream({
  pattern: 'log-identity',
  decider: logDecider,
  commands: { CreateLog: true },
  events: { LogCreated: true },
});

function decide(command: LogCommand, state: LogState): readonly LogEvent[] {
  switch (command.type) {
    case 'CreateLog':
      return state.status === 'absent' ? [{ type: 'LogCreated', data: command.data }] : [];
  }
}

function evolve(state: LogState, event: LogEvent): LogState {
  switch (event.type) {
    case 'LogCreated':
      return state.status === 'absent' ? { status: 'created', ...event.data } : state;
    default:
      return state;
  }
}
