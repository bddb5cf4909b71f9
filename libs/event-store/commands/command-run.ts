import type { EventMetadata } from '#contracts';
import { eventId } from '#platform';

import type { RecordedDomainEvent } from '../serialisation/upcast.js';
import type { FoldedStream } from './fold-stream.js';

/** An earlier run of a command, as its stream shows it. */
export interface CommandRun<State, Event> {
  readonly events: readonly Event[];
  /** The stream as the command left it. */
  readonly after: FoldedStream<State>;
  /** Metadata of the command's first event. */
  readonly metadata: EventMetadata;
}

/** Looks for a command's events while its stream is folded: they are known by their ids and stand in one row. */
export function findCommandRun<State, Event>(commandId: string) {
  const events: Event[] = [];
  let after: FoldedStream<State> | null = null;
  let metadata: EventMetadata | null = null;
  let wanted = eventId(commandId, 0);
  return {
    see: (event: RecordedDomainEvent, folded: FoldedStream<State>): void => {
      if (event.id !== wanted) return;
      events.push({ type: event.type, data: event.data } as Event);
      wanted = eventId(commandId, events.length);
      after = folded;
      metadata ??= event.metadata;
    },
    found: (): CommandRun<State, Event> | null => (after && metadata ? { events, after, metadata } : null),
  };
}
