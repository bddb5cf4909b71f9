import type { Actor } from '#contracts';
import { type PlacedQuotaEvent, quotaDecider, type QuotaState } from '#domain';
import { type EventStore, handleCommand, type RecordedDomainEvent } from '#event-store';
import { type Clock, uuidv5 } from '#platform';

import { systemContext } from '../log/commands.js';

const ROVER: Actor = Object.freeze({ type: 'system', id: 'rover' });

/** A charge that its failed job returns. */
export interface DueReturn {
  readonly tenantId: string;
  readonly consumptionId: string;
  readonly correlationId: string;
}

/** Returns the charge of a failed job; a second time it changes nothing. */
export async function returnCharge(
  { store, clock }: { readonly store: EventStore; readonly clock: Clock },
  { tenantId, consumptionId, correlationId }: DueReturn,
): Promise<void> {
  const commandId = uuidv5('return', consumptionId);
  const cause = { tenantId, correlationId, causationId: commandId, actor: ROVER };
  await handleCommand<QuotaState, PlacedQuotaEvent>({
    store,
    clock,
    decider: { initial: quotaDecider.initial, evolve: evolvePlaced },
    stream: `quota-${tenantId}-rover`,
    expected: 'existing',
    decide: (state) =>
      quotaDecider.decide(
        { type: 'ReturnQuota', data: { metric: 'rover', consumption_id: consumptionId } },
        state,
      ),
    context: systemContext(commandId, cause, clock),
  });
}

/** Folds a stored event, whose id and time are those of its consumption. */
function evolvePlaced(state: QuotaState, event: PlacedQuotaEvent): QuotaState {
  const { metadata } = event as PlacedQuotaEvent & Pick<RecordedDomainEvent, 'metadata'>;
  return quotaDecider.evolve(state, { ...event, at: Date.parse(metadata.occurred_at) });
}
