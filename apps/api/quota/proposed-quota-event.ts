import {
  eventDefinition,
  type EventMetadata,
  type ProposedEvent,
  type QuotaEvent,
} from '#contracts';

import type { Caller } from '../auth/caller.js';

/**
 * A quota event as it is appended for a caller. @param at when it happened, milliseconds since the
 * epoch.
 */
export function proposedQuotaEvent(
  { type, data }: QuotaEvent,
  id: string,
  caller: Caller,
  at: number,
): ProposedEvent {
  const metadata: EventMetadata = {
    tenant_id: caller.tenantId,
    actor: caller.actor,
    correlation_id: caller.requestId,
    causation_id: caller.requestId,
    schema_version: eventDefinition(type)?.version ?? 1,
    occurred_at: new Date(at).toISOString(),
    http: caller.http,
  };
  return { id, type, data, metadata };
}
