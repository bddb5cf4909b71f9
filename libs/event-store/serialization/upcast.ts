import {
  type DomainEvent,
  type DomainEventType,
  type EventDefinition,
  eventDefinition,
  liftEvent,
  type Position,
  type RecordedEvent,
} from '#contracts';

import { UnreadableEventError } from '../errors/log-errors.js';

/** A stored event at the current version of its type. */
export type RecordedDomainEvent = RecordedEvent & DomainEvent;

export type Upcasted =
  | { readonly kind: 'known'; readonly event: RecordedDomainEvent }
  /** An event of a newer version's type, which this version does not know. Readers skip it. */
  | { readonly kind: 'unknown'; readonly event: RecordedEvent };

/** Finds the definition of a type; undefined for an undeclared type. */
export type DefinitionLookup = (type: string) => EventDefinition<string, unknown> | undefined;

/**
 * Converts a stored event to the current version of its type, one version after the other, and
 * checks it against the schema.
 * @throws UnreadableEventError with type, version, stream and revision.
 */
export function upcast(
  recorded: RecordedEvent,
  definitionOf: DefinitionLookup = eventDefinition,
): Upcasted {
  const definition = definitionOf(recorded.type);
  if (!definition) return { kind: 'unknown', event: recorded };
  const lifted = liftEvent(definition, recorded.metadata.schema_version, recorded.data);
  if (lifted.data === undefined) throw new UnreadableEventError(recorded, lifted.problem);
  const parsed = definition.schema.safeParse(lifted.data);
  if (!parsed.success) {
    const fields = parsed.error.issues.map((issue) => issue.path.join('.') || 'data').join(', ');
    throw new UnreadableEventError(recorded, `its data does not fit the schema: ${fields}`);
  }
  const metadata = { ...recorded.metadata, schema_version: definition.version };
  return {
    kind: 'known',
    event: { ...recorded, metadata, data: parsed.data } as RecordedDomainEvent,
  };
}

/**
 * An event for readers of the log: at the current version of its type, with the metadata that they
 * need.
 */
export type ReadEvent<Type extends DomainEventType = DomainEventType> = Extract<
  DomainEvent,
  { type: Type }
> & {
  readonly tenant_id: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurred_at: string;
  readonly revision: number;
  readonly position: Position;
};

/**
 * Reads a stored event; undefined for a type that this version does not know.
 * @throws UnreadableEventError for an unreadable event of a known type: a reader must stop instead
 * of guessing.
 */
export function readEvent(recorded: RecordedEvent): ReadEvent | undefined {
  const read = upcast(recorded);
  if (read.kind === 'unknown') return undefined;
  const { type, data, metadata, revision, position } = read.event;
  const { tenant_id, occurred_at } = metadata;
  return { type, data, tenant_id, occurred_at, revision: Number(revision), position } as ReadEvent;
}
