import type { ErasureReason, TenantEvent } from '#contracts';
import { tenantDecider, type TenantState } from '#domain';
import {
  commandContext,
  type CommandOrigin,
  type CommandResult,
  type EventStore,
  handleCommand,
} from '#event-store';
import type { Clock } from '#platform';

export interface ErasureRequest {
  readonly tenantId: string;
  /** The typed confirmation. */
  readonly confirm: string;
  readonly reason: ErasureReason;
  readonly commandId: string;
  readonly metadata: Omit<CommandOrigin, 'tenant_id'>;
}

/**
 * Asks for everything of a tenant to be destroyed; asked again, it changes nothing. The pipeline
 * carries it out.
 * @throws FootnoteError `not_found`, or `legal_hold`, or
 * `erasure_not_confirmed`, which says what confirms it.
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
    decide: (state) =>
      tenantDecider.decide({ type: 'RequestErasure', data: { confirm, reason } }, state),
    context: commandContext(clock, { ...metadata, tenant_id: tenantId }, commandId),
  });
}
