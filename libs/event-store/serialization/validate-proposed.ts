import { eventDefinition, type JsonObject, type ProposedEvent, type StreamName } from '#contracts';

import { InvalidEventError } from '../errors/append-errors.js';
import type { ExpectedRevision } from '../event-store.port.js';

const STREAM = /^[a-z][a-z0-9]*-[\x21-\x7e]{1,200}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Maximum number of events of an append. */
const MAX_EVENTS = 500;
/** Checked events, which are read-only: joining commands checks each before the append does. */
const valid = new WeakSet<ProposedEvent>();

/**
 * Checks an append, in every adapter. The log is permanent, so an event that could not be read back
 * must not enter it. Types must be declared and at their current version, and data must match the
 * schema. Fields that the schema does not name are dropped.
 * @returns the events with their data as stored.
 * @throws InvalidEventError, RangeError.
 */
export function validateProposed(
  stream: StreamName,
  events: readonly ProposedEvent[],
  expected: ExpectedRevision,
): readonly ProposedEvent[] {
  if (!STREAM.test(stream))
    throw new RangeError(
      'A stream name must be category-id in printable ASCII, at most 200 characters',
    );
  if (typeof expected === 'bigint' && expected < 0n)
    throw new RangeError('An expected revision must not be negative');
  if (events.length === 0) throw new RangeError('An append must contain at least one event');
  if (events.length > MAX_EVENTS)
    throw new RangeError(`An append must contain at most ${MAX_EVENTS} events`);
  if (new Set(events.map((event) => event.id)).size < events.length) {
    throw new InvalidEventError('The events of an append must have different ids');
  }
  return events.map(validateEvent);
}

/**
 * Checks one event like an append does, for callers that join events of several commands: an
 * invalid one fails its own command only.
 * @returns the event with its data as stored.
 * @throws InvalidEventError.
 */
export function validateEvent(event: ProposedEvent): ProposedEvent {
  if (valid.has(event)) return event;
  if (!UUID.test(event.id))
    throw new InvalidEventError(`The id of a ${event.type} must be a lower-case UUID`);
  const definition = eventDefinition(event.type);
  if (!definition) throw new InvalidEventError(`${event.type} is not a declared event type`);
  if (event.metadata.schema_version !== definition.version) {
    throw new InvalidEventError(
      `${event.type} must be written at version ${definition.version} (got ${event.metadata.schema_version})`,
    );
  }
  const parsed = definition.schema.safeParse(event.data);
  if (!parsed.success) {
    const fields = parsed.error.issues.map((issue) => issue.path.join('.') || 'data').join(', ');
    throw new InvalidEventError(`The data of a ${event.type} does not fit its schema: ${fields}`);
  }
  const proposed = { ...event, data: parsed.data as JsonObject };
  valid.add(proposed);
  return proposed;
}
