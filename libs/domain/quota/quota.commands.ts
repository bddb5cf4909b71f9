import type { QuotaMetric, Receipt } from '#contracts';

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
