import type { DomainEvent, RecordedEvent } from '#contracts';
import { upcast } from '#event-store';

/** The event at its current version, or null for a type this version does not know. @throws UnreadableEventError. */
export function readEvent(recorded: RecordedEvent): DomainEvent | null {
  const read = upcast(recorded);
  return read.kind === 'known' ? read.event : null;
}
