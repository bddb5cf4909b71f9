import { z } from 'zod';

import { count, id } from '../fields.js';
import { defineEvent, type EventOf } from './define-event.js';
import { receiptResultsSchema, receiptSchema, sealedText } from './receipt.js';

/** What is counted by events. */
export const QUOTA_METRICS = ['search', 'chat', 'rover'] as const;
export type QuotaMetric = (typeof QUOTA_METRICS)[number];

/**
 * Stream `quota-<tenant>-<metric>`: something metered was done. A search carries its receipt and is
 * answered only after this event is stored; the event's id is the receipt's.
 */
export const quotaConsumed = defineEvent(
  'QuotaConsumed',
  2,
  z.object({ metric: z.enum(QUOTA_METRICS), amount: count, receipt: receiptSchema.optional() }),
  // Version 1 had all results of a receipt in this event.
  { from: { 1: (data) => data } },
);

/**
 * What the receipt of the consumption before it could not hold: the next part of its sealed text.
 * Of the same append.
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
 * What was charged ahead of work that then failed is given back: the consumption counts in no
 * window any more.
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
