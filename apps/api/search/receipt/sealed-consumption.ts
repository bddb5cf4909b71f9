import type { Receipt } from '#contracts';
import type { Sealer } from '#platform';

import type { Charge } from '../../quota/quota-ledger.js';
import { roomFor } from './receipt-event.js';
import { sealRequest, type TypedRequest } from './sealed-request.js';

/**
 * Returns how a charge makes its receipt: with the typed request sealed for its place, and the
 * parts that do not fit into it.
 */
export function sealedConsumption(
  keys: Sealer,
  tenantId: string,
  open: Omit<Receipt, 'request' | 'request_parts'>,
  typed: TypedRequest,
): NonNullable<Charge['consumption']> {
  const room = roomFor(open);
  return async (stream, consumptionId) => {
    const place = { tenantId, boundTo: `${stream}/${consumptionId}` };
    const { first, rest } = await sealRequest(keys, place, typed, room);
    return {
      receipt: { ...open, request: first, request_parts: rest.length },
      continued: rest,
    };
  };
}
