import type { Reactor } from '#apps/pipeline/reactor/reactor.types';
import { upcast } from '#event-store';

import type { MemoryEventStore } from './memory-event-store.js';

/**
 * Applies the events of a log to a reactor, as the pipeline does.
 * @param from number of events that were applied before.
 * @returns number of events that are applied now.
 */
export function foldInto(
  reactor: Pick<Reactor, 'eventTypes' | 'apply'>,
  { events }: MemoryEventStore,
  from = 0,
): number {
  const types = new Set<string>(reactor.eventTypes);
  for (const event of events.slice(from)) {
    const read = upcast(event);
    if (read.kind === 'known' && types.has(event.type)) reactor.apply(read.event);
  }
  return events.length;
}
