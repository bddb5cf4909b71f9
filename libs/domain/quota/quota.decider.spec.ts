import { describe, expect, it } from '@jest/globals';

import type { QuotaEvent } from '#contracts';
import { specify } from '#test/support/decider-spec';

import { quotaDecider } from './quota.decider.js';

const { given } = specify(quotaDecider);
const consumed: QuotaEvent = { type: 'QuotaConsumed', data: { metric: 'search', amount: 1 } };
const returned: QuotaEvent = {
  type: 'QuotaReturned',
  data: { metric: 'search', amount: 1, consumption_id: 'the-first' },
};

describe('quota', () => {
  it('accepts what is consumed, and lets a long receipt go on in the events after it', () => {
    given(consumed)
      .when({ type: 'ConsumeQuota', data: { metric: 'search', amount: 1, continued: ['b', 'c'] } })
      .then(
        consumed,
        { type: 'ReceiptContinued', data: { part: 1, sealed: 'b' } },
        { type: 'ReceiptContinued', data: { part: 2, sealed: 'c' } },
      );
  });

  it('gives back what was taken, and never more', () => {
    given(consumed)
      .when({ type: 'ReturnQuota', data: { metric: 'search', amount: 1, consumption_id: 'the-first' } })
      .then(returned);
    given(consumed, returned)
      .when({ type: 'ReturnQuota', data: { metric: 'search', amount: 1, consumption_id: 'the-first' } })
      .thenNothingHappened();
    given()
      .when({ type: 'ReturnQuota', data: { metric: 'search', amount: 1, consumption_id: 'unknown' } })
      .thenNothingHappened();
  });

  it('sums what was consumed and returned', () => {
    const state = given(consumed, consumed, returned, {
      type: 'ReceiptContinued',
      data: { part: 1, sealed: 'x' },
    }).thenState();
    expect(state).toEqual({ consumed: 2, returned: 1 });
  });
});
