import { describe, it } from '@jest/globals';

import { specify } from '#test/support/decider-spec';

import { logDecider } from './log.decider.js';

const { given } = specify(logDecider);
const created = {
  type: 'LogCreated' as const,
  data: { log_id: '0190b5e4-7b1d-7000-8000-000000000001' },
};
const other = '0190b5e4-7b1d-7000-8000-000000000002';

describe('log', () => {
  it('is created once, by the first process', () => {
    given().when({ type: 'CreateLog', data: created.data }).then(created);
    given(created)
      .when({ type: 'CreateLog', data: { log_id: other } })
      .thenNothingHappened();
  });
});
