import { RATE_LIMIT_HEADERS } from './rate-limit-headers.js';

/** The header of an answer with a receipt, as the OpenAPI document describes it. */
export const RECEIPT_HEADER = receiptHeader(
  'Id of the receipt: GET /receipts/{id} shows what the answer is based on.',
);

/** The headers of an answer about code. */
export const CODE_RECEIPT_HEADERS = {
  ...receiptHeader('Id of the receipt, which can prove the answer later, also an empty one.'),
  ...RATE_LIMIT_HEADERS,
};

function receiptHeader(description: string) {
  return { 'X-Receipt-Id': { description, schema: { type: 'string', format: 'uuid' } } } as const;
}
