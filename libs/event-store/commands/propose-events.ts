import {
  type DomainEvent,
  eventDefinition,
  type EventMetadata,
  type ProposedEvent,
} from '#contracts';
import { eventId } from '#platform';

import { InvalidEventError } from '../errors/append-errors.js';

/**
 * Prepares decided events for the append: ids derived from the command, the current schema version,
 * and the idempotency record in the first event only.
 */
export function proposeEvents(
  events: readonly DomainEvent[],
  context: { readonly commandId: string; readonly metadata: Omit<EventMetadata, 'schema_version'> },
): readonly ProposedEvent[] {
  const { idempotency, ...shared } = context.metadata;
  return events.map(({ type, data }, index) => {
    const definition = eventDefinition(type);
    if (!definition) throw new InvalidEventError(`${type} is not a declared event type`);
    const metadata = { ...shared, schema_version: definition.version };
    return {
      id: eventId(context.commandId, index),
      type,
      data,
      metadata: index === 0 && idempotency ? { ...metadata, idempotency } : metadata,
    };
  });
}
