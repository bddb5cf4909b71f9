import type { EventMetadata, Position } from '#contracts';

/** What a command did. */
export interface CommandResult<State, Event> {
  /** The state after the command; of a replay, the state as the command left it then. */
  readonly state: State;
  /** What happened; empty when it was already so. */
  readonly events: readonly Event[];
  /** Revision of the stream's last event that `state` knows of; `none` for a stream without events. */
  readonly revision: 'none' | bigint;
  /** Where a projection must have come for a reader to see this state; null for a stream without events. */
  readonly position: Position | null;
  /** This call wrote the events. */
  readonly appended: boolean;
  /** The command had run before: the events are the ones it wrote then. */
  readonly replayed: boolean;
  /** Metadata of the command's first event as stored; null without events. Tells whose body an idempotency key stands for. */
  readonly metadata: EventMetadata | null;
}
