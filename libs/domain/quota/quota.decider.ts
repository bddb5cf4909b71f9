import type {
  Decider,
  QuotaEvent,
  QuotaLimit,
  QuotaMetric,
  Receipt,
  ReceiptResults,
} from '#contracts';

import { defineStream } from '../define-stream.js';
import {
  type Consumptions,
  findConsumption,
  NO_CONSUMPTIONS,
  withConsumption,
  withReturned,
} from './consumptions.js';
import { refuseOver } from './quota-windows.js';

export interface ConsumeQuota {
  readonly type: 'ConsumeQuota';
  readonly data: {
    readonly metric: QuotaMetric;
    readonly amount: number;
    /** Time of the consumption, milliseconds since the epoch. */
    readonly at: number;
    /** The windows that it must fit into; empty if it is not limited. */
    readonly limits: readonly QuotaLimit[];
    readonly receipt?: Receipt;
    /** Parts of the receipt's sealed text that did not fit into the receipt, in order. */
    readonly continued?: readonly string[];
    /** Results that did not fit into the receipt, in parts. */
    readonly continuedResults?: readonly ReceiptResults[];
  };
}

/** Returns the charge of failed work. */
export interface ReturnQuota {
  readonly type: 'ReturnQuota';
  readonly data: { readonly metric: QuotaMetric; readonly consumption_id: string };
}

export type QuotaCommand = ConsumeQuota | ReturnQuota;

/**
 * The content of the quota windows. A reader that folds the stream may leave out consumptions older
 * than the longest window.
 */
export interface QuotaState {
  readonly consumptions: Consumptions;
}

/** An event with its time in the log, which determines the content of a window. */
export type PlacedQuotaEvent = QuotaEvent & {
  readonly id?: string;
  /** Time of the event, milliseconds since the epoch. */
  readonly at?: number;
};

/**
 * Stream `quota-<tenant>-<metric>`: no window contains more than the plan allowed at the time of
 * each consumption.
 */
export const quotaDecider: Decider<QuotaCommand, QuotaState, PlacedQuotaEvent> = {
  initial: { consumptions: NO_CONSUMPTIONS },
  decide,
  evolve,
};

export const quotaStreams = defineStream({
  pattern: 'quota-<tenant_id>-<metric>',
  decider: quotaDecider,
  commands: { ConsumeQuota: true, ReturnQuota: true },
  events: {
    QuotaConsumed: true,
    ReceiptContinued: true,
    ReceiptResultsContinued: true,
    QuotaReturned: true,
  },
});

function decide(command: QuotaCommand, { consumptions }: QuotaState): readonly QuotaEvent[] {
  switch (command.type) {
    case 'ConsumeQuota': {
      const {
        metric,
        amount,
        at,
        limits,
        receipt,
        continued = [],
        continuedResults = [],
      } = command.data;
      refuseOver(limits, consumptions, { amount, now: at });
      return [
        { type: 'QuotaConsumed', data: { metric, amount, ...(receipt ? { receipt } : {}) } },
        ...continued.map((sealed, part): QuotaEvent => ({
          type: 'ReceiptContinued',
          data: { part: part + 1, sealed },
        })),
        ...continuedResults.map((results, part): QuotaEvent => ({
          type: 'ReceiptResultsContinued',
          data: { part: part + 1, results },
        })),
      ];
    }
    case 'ReturnQuota': {
      const { metric, consumption_id } = command.data;
      // Returned once, and never more than was consumed, however often a failure is reported.
      const amount = findConsumption(consumptions, consumption_id)?.amount ?? 0;
      return amount === 0
        ? []
        : [{ type: 'QuotaReturned', data: { metric, amount, consumption_id } }];
    }
  }
}

function evolve(state: QuotaState, event: PlacedQuotaEvent): QuotaState {
  switch (event.type) {
    case 'QuotaConsumed': {
      const { id, at, data } = event;
      if (id === undefined || at === undefined)
        throw new Error('A consumption needs its time in the log');
      const added = { id, at, amount: data.amount };
      return { consumptions: withConsumption(state.consumptions, added) };
    }
    case 'QuotaReturned': {
      const { consumption_id } = event.data;
      if (!findConsumption(state.consumptions, consumption_id)) return state;
      return { consumptions: withReturned(state.consumptions, consumption_id) };
    }
    default:
      return state;
  }
}
