import type { Decider, QuotaEvent } from '#contracts';

import type { QuotaCommand } from './quota.commands.js';
import type { QuotaState } from './quota.state.js';

/** Stream `quota-<tenant>-<metric>`. Consuming is always accepted: plans and their limits are not part of it yet. */
export const quotaDecider: Decider<QuotaCommand, QuotaState, QuotaEvent> = {
  initial: { consumed: 0, returned: 0 },
  decide,
  evolve,
};

function decide(command: QuotaCommand, state: QuotaState): readonly QuotaEvent[] {
  switch (command.type) {
    case 'ConsumeQuota': {
      const { metric, amount, receipt, continued = [] } = command.data;
      return [
        { type: 'QuotaConsumed', data: { metric, amount, ...(receipt ? { receipt } : {}) } },
        ...continued.map((sealed, at): QuotaEvent => ({ type: 'ReceiptContinued', data: { part: at + 1, sealed } })),
      ];
    }
    case 'ReturnQuota': {
      const { metric, amount, consumption_id } = command.data;
      // Never more than was taken, however often a failure is reported.
      if (amount > state.consumed - state.returned) return [];
      return [{ type: 'QuotaReturned', data: { metric, amount, consumption_id } }];
    }
  }
}

function evolve(state: QuotaState, event: QuotaEvent): QuotaState {
  switch (event.type) {
    case 'QuotaConsumed':
      return { ...state, consumed: state.consumed + event.data.amount };
    case 'QuotaReturned':
      return { ...state, returned: state.returned + event.data.amount };
    default:
      return state;
  }
}
