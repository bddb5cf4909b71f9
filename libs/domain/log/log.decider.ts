import type { Decider, LogEvent } from '#contracts';

import type { LogCommand } from './log.commands.js';
import type { LogState } from './log.state.js';

/** Stream `log-identity`, of which a log has one. Of several processes that create it at once, one does. */
export const logDecider: Decider<LogCommand, LogState, LogEvent> = {
  initial: { status: 'absent' },
  decide,
  evolve,
};

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
