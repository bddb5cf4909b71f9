import { describe, expect, it } from '@jest/globals';

import { MOST_REFUSAL_EVENTS, type RefusalEvent } from '#contracts';

import { refusalDecider, type RefusalState } from './refusal.decider.js';

describe('the refusals of a minute', () => {
  const data: RefusalEvent['data'] = {
    code: 'unauthorized',
    status: 401,
    minute: '2026-01-17T10:00:00.000Z',
    count: 3,
    route: 'GET /sources',
    user_id: null,
    account_digest: null,
    source_id: null,
    uncounted: 0,
  };
  const after = (events: number): RefusalState =>
    Array.from({ length: events }).reduce<RefusalState>(
      (state) => refusalDecider.evolve(state, { type: 'RequestsRefused', data }, 0n),
      refusalDecider.initial,
    );
  const decide = (state: RefusalState) =>
    refusalDecider.decide({ type: 'RecordRefusals', data }, state);

  it('get one event each up to the limit of the minute', () => {
    expect(decide(after(0))).toEqual([{ type: 'RequestsRefused', data }]);
    expect(decide(after(MOST_REFUSAL_EVENTS - 1))).toHaveLength(1);
    expect(decide(after(MOST_REFUSAL_EVENTS))).toEqual([]);
  });
});
