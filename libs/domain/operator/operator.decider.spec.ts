import { describe, expect, it } from '@jest/globals';

import { operatorDecider } from './operator.decider.js';

describe('the run of an operator command', () => {
  const by = { run_id: 'r', command: 'backup' };
  const start = {
    type: 'StartOperatorCommand',
    data: { ...by, tenant_id: null, reason: null },
  } as const;
  const end = (outcome: 'completed' | 'failed') =>
    ({ type: 'EndOperatorCommand', data: { ...by, outcome } }) as const;
  const started = { type: 'OperatorCommandStarted', data: start.data } as const;
  const { initial } = operatorDecider;
  const running = operatorDecider.evolve(initial, started, 0n);
  const decide = (...given: Parameters<typeof operatorDecider.decide>) =>
    operatorDecider.decide(...given);

  it('starts once and ends once, with its outcome', () => {
    expect(decide(start, initial)).toEqual([started]);
    expect(decide(start, running)).toEqual([]);
    const completed = { type: 'OperatorCommandCompleted', data: by } as const;
    expect(decide(end('completed'), running)).toEqual([completed]);
    expect(decide(end('failed'), running)).toEqual([{ type: 'OperatorCommandFailed', data: by }]);
    expect(decide(end('failed'), operatorDecider.evolve(running, completed, 1n))).toEqual([]);
  });

  it('ignores the end of a run that never started', () => {
    expect(decide(end('completed'), initial)).toEqual([]);
  });
});
