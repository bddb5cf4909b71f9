import type { EventMetadata, ErasureReason, TenantEvent } from '#contracts';
import { tenantDecider, type TenantState } from '#domain';
import { handleCommand, type CommandResult, type EventStore } from '#event-store';
import type { Clock } from '#platform';

const DEADLINE_MS = 10_000;

export interface ErasureRequest {
  readonly tenantId: string;
  /** What was typed to confirm it. */
  readonly confirm: string;
  readonly reason: ErasureReason;
  readonly commandId: string;
  readonly metadata: Omit<EventMetadata, 'schema_version' | 'tenant_id' | 'occurred_at' | 'causation_id'>;
}

/**
 * Asks for everything of a tenant to be destroyed; asked again, it changes nothing. The pipeline carries it out.
 * @throws FootnoteError `not_found`, or `erasure_not_confirmed`, which says what confirms it.
 */
export function requestErasure(
  store: Pick<EventStore, 'append' | 'read'>,
  clock: Clock,
  { tenantId, confirm, reason, commandId, metadata }: ErasureRequest,
): Promise<CommandResult<TenantState, TenantEvent>> {
  return handleCommand({
    store,
    clock,
    decider: tenantDecider,
    stream: `tenant-${tenantId}`,
    expected: 'any',
    decide: (state) => tenantDecider.decide({ type: 'RequestErasure', data: { confirm, reason } }, state),
    context: {
      commandId,
      metadata: {
        ...metadata,
        tenant_id: tenantId,
        causation_id: commandId,
        occurred_at: clock.now().toISOString(),
      },
      deadline: clock.monotonic() + DEADLINE_MS,
    },
  });
}
