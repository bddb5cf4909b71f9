import type { EventMetadata, Position } from '#contracts';
import { eventId } from '#platform';

import type { RecordedDomainEvent } from '../serialization/upcast.js';
import type { FoldedStream } from './fold-stream.js';

/** The result of a command. */
export interface CommandResult<State, Event> {
  /** The state after the command; for a replay, the state right after its first run. */
  readonly state: State;
  /** The events of the command; empty if the stream already had the requested state. */
  readonly events: readonly Event[];
  /** Revision of the last event that `state` includes; `none` for a stream without events. */
  readonly revision: 'none' | bigint;
  /**
   * The position that a projection must reach before a reader sees this state; null for a stream
   * without events.
   */
  readonly position: Position | null;
  /** True if this call wrote the events. */
  readonly appended: boolean;
  /** True if the command had run before: the events are those of its first run. */
  readonly replayed: boolean;
  /**
   * Metadata of the command's first event as stored; null without events. It contains the hash of
   * the body that an idempotency key identifies.
   */
  readonly metadata: EventMetadata | null;
}

/** An earlier run of a command, as recorded in its stream. */
export interface CommandRun<State, Event> {
  readonly events: readonly Event[];
  /** The stream right after the command. */
  readonly after: FoldedStream<State>;
  /** Metadata of the command's first event. */
  readonly metadata: EventMetadata;
}

/**
 * Searches for a command's events while its stream is folded. They are recognized by their ids and
 * are consecutive.
 */
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
    found: (): CommandRun<State, Event> | null =>
      after && metadata ? { events, after, metadata } : null,
  };
}
