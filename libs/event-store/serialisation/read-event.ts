import type { DomainEvent, DomainEventType, Position, RecordedEvent } from '#contracts';

import { upcast } from './upcast.js';

/** An event as readers of the log take it: at the current version of its type, with what they need of its metadata. */
export type ReadEvent<Type extends DomainEventType = DomainEventType> = Extract<DomainEvent, { type: Type }> & {
  readonly tenant_id: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurred_at: string;
  readonly revision: number;
  readonly position: Position;
};

/**
 * Reads a stored event; undefined for a type that this version does not know.
 * @throws UnreadableEventError for a known type that it cannot read: a reader must stop rather than guess.
 */
export function readEvent(recorded: RecordedEvent): ReadEvent | undefined {
  const read = upcast(recorded);
  if (read.kind === 'unknown') return undefined;
  const { type, data, metadata, revision, position } = read.event;
  const { tenant_id, occurred_at } = metadata;
  return { type, data, tenant_id, occurred_at, revision: Number(revision), position } as ReadEvent;
}
