import type { Actor, EventMetadata } from '#contracts';
import type { Clock } from '#platform';

const PIPELINE: Actor = Object.freeze({ type: 'system', id: 'pipeline' });

/** What an event of the pipeline follows from. */
export interface Cause {
  readonly tenantId: string;
  readonly correlationId: string;
  /** Id of the event or message that caused it. */
  readonly causationId: string;
}

/** Metadata of an event that no person asked for directly. */
export function systemMetadata(cause: Cause, clock: Clock): Omit<EventMetadata, 'schema_version'> {
  return {
    tenant_id: cause.tenantId,
    actor: PIPELINE,
    correlation_id: cause.correlationId,
    causation_id: cause.causationId,
    occurred_at: clock.now().toISOString(),
  };
}
