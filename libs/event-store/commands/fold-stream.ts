import type { Decider, Position, StreamName } from '#contracts';

import type { EventStore } from '../event-store.port.js';
import { type RecordedDomainEvent, upcast } from '../serialization/upcast.js';

/** The part of a decider that computes the state from history. */
export type Evolver<State, Event> = Pick<Decider<never, State, Event>, 'evolve' | 'initial'>;

export interface FoldedStream<State> {
  readonly state: State;
  /** Revision of the last event, or `none`; an append on this state expects it. */
  readonly revision: 'none' | bigint;
  /** Position of the last event, null for a stream without events. */
  readonly position: Position | null;
}

export interface FoldOptions<State> {
  readonly onEvent?: ((event: RecordedDomainEvent, after: FoldedStream<State>) => void) | undefined;
  readonly until?: { readonly revision: bigint } | { readonly position: Position };
}

/**
 * Folds a stream into its state. Events of unknown types advance the revision and change nothing
 * else.
 * @param options.onEvent receives each known event with the state after it.
 * @param options.until last event to include, for a past state; default: the newest.
 * @throws UnreadableEventError.
 */
export async function foldStream<State, Event>(
  store: Pick<EventStore, 'read'>,
  decider: Evolver<State, Event>,
  stream: StreamName,
  { onEvent, until }: FoldOptions<State> = {},
): Promise<FoldedStream<State>> {
  let folded: FoldedStream<State> = { state: decider.initial, revision: 'none', position: null };
  const range = until && 'revision' in until ? { limit: Number(until.revision) + 1 } : {};
  for await (const recorded of store.read(stream, range)) {
    const { revision, position } = recorded;
    if (until && 'position' in until && position > until.position) break;
    const read = upcast(recorded);
    const state =
      read.kind === 'known'
        ? decider.evolve(folded.state, read.event as Event, revision)
        : folded.state;
    folded = { state, revision, position };
    if (read.kind === 'known') onEvent?.(read.event, folded);
  }
  return folded;
}
