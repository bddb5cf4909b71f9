import type { Decider, OperatorEvent } from '#contracts';

import { defineStream } from '../define-stream.js';

export interface StartOperatorCommand {
  readonly type: 'StartOperatorCommand';
  readonly data: Extract<OperatorEvent, { type: 'OperatorCommandStarted' }>['data'];
}

export interface EndOperatorCommand {
  readonly type: 'EndOperatorCommand';
  readonly data: {
    readonly run_id: string;
    readonly command: string;
    readonly outcome: 'completed' | 'failed';
  };
}

export type OperatorCommand = StartOperatorCommand | EndOperatorCommand;
export type OperatorState = 'absent' | 'running' | 'ended';

/** Stream `operator-<run_id>`: one start and at most one end of a run. */
export const operatorDecider: Decider<OperatorCommand, OperatorState, OperatorEvent> = {
  initial: 'absent',
  decide,
  evolve: (_, { type }) => (type === 'OperatorCommandStarted' ? 'running' : 'ended'),
};

export const operatorStreams = defineStream({
  pattern: 'operator-<run_id>',
  decider: operatorDecider,
  commands: { StartOperatorCommand: true, EndOperatorCommand: true },
  events: {
    OperatorCommandStarted: true,
    OperatorCommandCompleted: true,
    OperatorCommandFailed: true,
  },
});

/** Ignores a repeated start or end, and the end of a run that never started. */
function decide(command: OperatorCommand, state: OperatorState): readonly OperatorEvent[] {
  if (command.type === 'StartOperatorCommand')
    return state === 'absent' ? [{ type: 'OperatorCommandStarted', data: command.data }] : [];
  if (state !== 'running') return [];
  const { outcome, ...data } = command.data;
  const type = outcome === 'completed' ? 'OperatorCommandCompleted' : 'OperatorCommandFailed';
  return [{ type, data }];
}
