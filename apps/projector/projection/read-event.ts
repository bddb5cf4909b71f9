import type { RecordedEvent } from '#contracts';
import { upcast } from '#event-store';

import type { ProjectedEvent } from './projection.js';

/**
 * An event as projections see it, or undefined for a type that this version does not know.
 * @throws UnreadableEventError for a known type that it cannot read: the projection must stop rather than guess.
 */
export function readEvent(recorded: RecordedEvent): ProjectedEvent | undefined {
  const read = upcast(recorded);
  if (read.kind === 'unknown') return undefined;
  const { type, data, metadata, revision, position } = read.event;
  const { tenant_id, occurred_at } = metadata;
  return { type, data, tenant_id, occurred_at, revision: Number(revision), position } as ProjectedEvent;
}
