import type { EventMetadata, Position } from '#contracts';
import { eventId } from '#platform';

import type { RecordedDomainEvent } from '../serialisation/upcast.js';
import type { FoldedStream } from './fold-stream.js';

/** What a command did. */
export interface CommandResult<State, Event> {
  /** The state after the command; of a replay, the state as the command left it then. */
  readonly state: State;
  /** What happened; empty when it was already so. */
  readonly events: readonly Event[];
  /**
   * Revision of the stream's last event that `state` knows of; `none` for a stream without events.
   */
  readonly revision: 'none' | bigint;
  /**
   * Where a projection must have come for a reader to see this state; null for a stream without
   * events.
   */
  readonly position: Position | null;
  /** This call wrote the events. */
  readonly appended: boolean;
  /** The command had run before: the events are the ones it wrote then. */
  readonly replayed: boolean;
  /**
   * Metadata of the command's first event as stored; null without events. Tells whose body an
   * idempotency key stands for.
   */
  readonly metadata: EventMetadata | null;
}

/** An earlier run of a command, as its stream shows it. */
export interface CommandRun<State, Event> {
  readonly events: readonly Event[];
  /** The stream as the command left it. */
  readonly after: FoldedStream<State>;
  /** Metadata of the command's first event. */
  readonly metadata: EventMetadata;
}

/**
 * Looks for a command's events while its stream is folded: they are known by their ids and stand in
 * one row.
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
