import { eventDefinition, type JsonObject, type ProposedEvent, type StreamName } from '#contracts';

import { InvalidEventError } from '../errors/append-errors.js';
import type { ExpectedRevision } from '../event-store.port.js';

const STREAM = /^[a-z][a-z0-9]*-[\x21-\x7e]{1,200}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Largest append, counted in events. */
const MAX_EVENTS = 500;

/**
 * What every adapter checks before it appends. The log outlives every mistake, so nothing enters
 * that could not be read back: declared types at their current version, data as the schema has it
 * (fields the schema does not name are dropped).
 * @returns the events with their data as it will be stored.
 * @throws InvalidEventError, RangeError.
 */
export function validateProposed(
  stream: StreamName,
  events: readonly ProposedEvent[],
  expected: ExpectedRevision,
): readonly ProposedEvent[] {
  if (!STREAM.test(stream))
    throw new RangeError('A stream is named category-id, in printable ASCII of at most 200 signs');
  if (typeof expected === 'bigint' && expected < 0n)
    throw new RangeError('An expected revision is never negative');
  if (events.length === 0) throw new RangeError('An append needs at least one event');
  if (events.length > MAX_EVENTS)
    throw new RangeError(`An append takes at most ${MAX_EVENTS} events`);
  if (new Set(events.map((event) => event.id)).size < events.length) {
    throw new InvalidEventError('Two events of one append have the same id');
  }
  return events.map(validateEvent);
}

/**
 * Checks one event as an append does, for whoever joins events of several commands: an invalid one
 * fails its command alone.
 * @returns the event with its data as it will be stored. @throws InvalidEventError.
 */
export function validateEvent(event: ProposedEvent): ProposedEvent {
  if (!UUID.test(event.id))
    throw new InvalidEventError(`The id of a ${event.type} is not a lower-case UUID`);
  const definition = eventDefinition(event.type);
  if (!definition) throw new InvalidEventError(`${event.type} is not a declared event type`);
  if (event.metadata.schema_version !== definition.version) {
    throw new InvalidEventError(
      `${event.type} is written at version ${definition.version}, not ${event.metadata.schema_version}`,
    );
  }
  const parsed = definition.schema.safeParse(event.data);
  if (!parsed.success) {
    const fields = parsed.error.issues.map((issue) => issue.path.join('.') || 'data').join(', ');
    throw new InvalidEventError(`The data of a ${event.type} does not fit its schema: ${fields}`);
  }
  return { ...event, data: parsed.data as JsonObject };
}
