import { z } from 'zod';

import { count, id } from '../fields.js';
import { defineEvent, type EventOf } from './define-event.js';
import { receiptResultsSchema, receiptSchema, sealedText } from './receipt.js';

/** Metrics that events count. */
export const QUOTA_METRICS = ['search', 'chat', 'rover'] as const;
export type QuotaMetric = (typeof QUOTA_METRICS)[number];

const quotaConsumedData = z.object({
  metric: z.enum(QUOTA_METRICS),
  amount: count,
  receipt: receiptSchema.optional(),
});

/**
 * Stream `quota-<tenant>-<metric>`: something metered was done. A search carries its receipt and is
 * answered only after this event is stored; the event's id is the receipt's.
 */
export const quotaConsumed = defineEvent(
  'QuotaConsumed',
  2,
  quotaConsumedData,
  // Version 1 had all results of a receipt in this event.
  { from: { 1: (data) => data }, past: { 1: quotaConsumedData } },
);

/**
 * The next part of the receipt's sealed text, which did not fit the consumption before. It is in
 * the same append.
 */
export const receiptContinued = defineEvent(
  'ReceiptContinued',
  1,
  z.object({ part: count, sealed: sealedText }),
);

/**
 * Results that the receipt of the consumption before it could not hold, in the answer's order. Of
 * the same append.
 */
export const receiptResultsContinued = defineEvent(
  'ReceiptResultsContinued',
  1,
  z.object({ part: count, results: receiptResultsSchema }),
);

/**
 * The charge for prepaid work was returned because the work failed: the consumption no longer
 * counts in any window.
 */
export const quotaReturned = defineEvent(
  'QuotaReturned',
  1,
  z.object({ metric: z.enum(QUOTA_METRICS), amount: count, consumption_id: id }),
);

export const quotaEvents = [
  quotaConsumed,
  receiptContinued,
  receiptResultsContinued,
  quotaReturned,
] as const;
export type QuotaEvent = EventOf<(typeof quotaEvents)[number]>;
