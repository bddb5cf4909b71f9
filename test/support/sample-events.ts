import { randomUUID } from 'node:crypto';

import {
  type DomainEvent,
  eventDefinition,
  type EventMetadata,
  type ProposedEvent,
  type StreamName,
} from '#contracts';

export const TENANT_A = 'tenant-a';
export const TENANT_B = 'tenant-b';

/** Metadata as a background worker of the tenant would write it. */
export function sampleMetadata(
  type: string,
  overrides: Partial<EventMetadata> = {},
): EventMetadata {
  return {
    tenant_id: TENANT_A,
    actor: { type: 'system', id: 'test' },
    correlation_id: 'request-1',
    causation_id: 'command-1',
    schema_version: eventDefinition(type)?.version ?? 1,
    occurred_at: '2026-01-02T03:04:05.678Z',
    ...overrides,
  };
}

/** A storable event with a fresh id. */
export function proposed(
  event: DomainEvent,
  overrides: Partial<EventMetadata> = {},
): ProposedEvent {
  return { id: randomUUID(), ...event, metadata: sampleMetadata(event.type, overrides) };
}

/** `count` distinct events; what they say does not matter. */
export function someEvents(
  count: number,
  type: 'SourceSyncRequested' | 'JobCancelled' = 'SourceSyncRequested',
) {
  return Array.from({ length: count }, (_, index) =>
    proposed({ type, data: { source_id: 'source', job_id: `job-${index}` } }),
  );
}

/** A stream name that no other test uses. */
export function freshStream(category = 'source'): StreamName {
  return `${category}-${randomUUID()}`;
}
