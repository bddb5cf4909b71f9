import type { Decider, QuotaEvent, QuotaMetric, Receipt } from '#contracts';

import { defineStream } from '../define-stream.js';

export interface ConsumeQuota {
  readonly type: 'ConsumeQuota';
  readonly data: {
    readonly metric: QuotaMetric;
    readonly amount: number;
    readonly receipt?: Receipt;
    /** Parts of the receipt's sealed text that did not fit into it, in order. */
    readonly continued?: readonly string[];
  };
}

/** Gives back what a failed piece of work was charged. */
export interface ReturnQuota {
  readonly type: 'ReturnQuota';
  readonly data: { readonly metric: QuotaMetric; readonly amount: number; readonly consumption_id: string };
}

export type QuotaCommand = ConsumeQuota | ReturnQuota;

/** Sums over the whole stream. Windows are not part of it: they depend on the time of asking. */
export interface QuotaState {
  readonly consumed: number;
  readonly returned: number;
}

/** Stream `quota-<tenant>-<metric>`. Consuming is always accepted: plans and their limits are not part of it yet. */
export const quotaDecider: Decider<QuotaCommand, QuotaState, QuotaEvent> = {
  initial: { consumed: 0, returned: 0 },
  decide,
  evolve,
};

export const quotaStreams = defineStream({
  pattern: 'quota-<tenant_id>-<metric>',
  decider: quotaDecider,
  commands: { ConsumeQuota: true, ReturnQuota: true },
  events: { QuotaConsumed: true, ReceiptContinued: true, QuotaReturned: true },
});

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
