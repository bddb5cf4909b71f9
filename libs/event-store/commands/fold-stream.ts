import type { Decider, Position, StreamName } from '#contracts';

import type { EventStore } from '../event-store.port.js';
import { upcast, type RecordedDomainEvent } from '../serialisation/upcast.js';

/** The half of a decider that turns history into state. */
export type Evolver<State, Event> = Pick<Decider<never, State, Event>, 'evolve' | 'initial'>;

export interface FoldedStream<State> {
  readonly state: State;
  /** Revision of the last event, or `none`: what an append on this state expects. */
  readonly revision: 'none' | bigint;
  /** Position of the last event, null for a stream without events. */
  readonly position: Position | null;
}

/**
 * Reads a whole stream into its state. Events of unknown types count for the revision and change nothing else.
 * @param onEvent sees each known event with the state after it.
 * @throws UnreadableEventError.
 */
export async function foldStream<State, Event>(
  store: Pick<EventStore, 'read'>,
  decider: Evolver<State, Event>,
  stream: StreamName,
  onEvent?: (event: RecordedDomainEvent, after: FoldedStream<State>) => void,
): Promise<FoldedStream<State>> {
  let folded: FoldedStream<State> = { state: decider.initial, revision: 'none', position: null };
  for await (const recorded of store.read(stream)) {
    const { revision, position } = recorded;
    const read = upcast(recorded);
    const state = read.kind === 'known' ? decider.evolve(folded.state, read.event as Event) : folded.state;
    folded = { state, revision, position };
    if (read.kind === 'known') onEvent?.(read.event, folded);
  }
  return folded;
}
