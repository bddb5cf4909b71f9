import type { FastifyReply } from 'fastify';

import { rateLimitHeaders } from '../../edge/rate-limit-headers.js';
import { showMoment } from '../../history/moment-header.js';
import type { Receipted } from './receipts.js';

/** Returns an answer, and shows its receipt, moment and quota in headers. */
export function receipted<Answer>(
  { answer, receiptId, rateLimit, moment }: Receipted<Answer>,
  reply: FastifyReply,
): Answer {
  void reply.header('x-receipt-id', receiptId);
  showMoment(reply, moment);
  if (rateLimit) void reply.headers(rateLimitHeaders(rateLimit));
  return answer;
}
