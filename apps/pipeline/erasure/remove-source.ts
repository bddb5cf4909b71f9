import { sourceDecider } from '#domain';
import { type EventStore, handleCommand } from '#event-store';
import { type Clock, uuidv5 } from '#platform';

import { type Cause, systemContext } from '../log/commands.js';

/**
 * Removes a registered source because of an erasure; one that was removed in between stays as it
 * is. The dispatcher then cancels its job and drops its indexed content.
 */
export async function removeSource(
  { store, clock }: { readonly store: EventStore; readonly clock: Clock },
  sourceId: string,
  cause: Cause,
): Promise<void> {
  await handleCommand({
    store,
    clock,
    decider: sourceDecider,
    stream: `source-${sourceId}`,
    expected: 'existing',
    decide: (state) =>
      state.status === 'registered'
        ? sourceDecider.decide({ type: 'RemoveSource', data: {} }, state)
        : [],
    context: systemContext(uuidv5('erase-source', sourceId), cause, clock),
  });
}
