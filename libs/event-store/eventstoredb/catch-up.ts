import {
  type AllStreamResolvedEvent,
  type EventStoreDBClient,
  eventTypeFilter,
  excludeSystemEvents,
  type Filter,
  START,
  streamNameFilter,
} from '@eventstore/db-client';

import type { Position, RecordedEvent } from '#contracts';

import { PositionAheadError } from '../errors/log-errors.js';
import type {
  SubscribeOptions,
  SubscriptionDelivery,
  SubscriptionFilter,
} from '../event-store.port.js';
import { decodeEvent } from './event-codec.js';
import type { LogReader } from './log-reader.js';
import { formatPosition, parsePosition } from './position.js';
import { pull } from './pull.js';

/** A position after the end of any log. */
const NO_PLACE = formatPosition(2n ** 63n);

export interface CatchUpSource {
  readonly client: EventStoreDBClient;
  readonly reader: LogReader;
  /** Milliseconds in which the server must confirm. */
  readonly timeoutMs: number;
}

/** Information from callbacks of the client, in its place among the events. */
type Mark =
  | { readonly mark: 'confirmed' | 'caught-up' }
  | { readonly mark: 'checkpoint'; readonly position: Position };

/**
 * One subscription on one connection; it ends or throws when the connection is lost. The client
 * calls back before it delivers buffered events. So callbacks go into the same buffer and come out
 * in order.
 *
 * A checkpoint is handed out only if no event that passes the filter can still come at or before
 * it. A server's own checkpoints do not always guarantee that (`Considered`). At the end of the
 * history, the newest event before the subscription is reported instead.
 * @throws PositionAheadError; the client's errors.
 */
export async function* catchUp(
  source: CatchUpSource,
  options: SubscribeOptions,
): AsyncGenerator<SubscriptionDelivery, void, undefined> {
  const { after, filter, signal } = options;
  const { newest, end } = await source.reader.tail();
  if (after !== 'start' && (end === null || after > end)) throw new PositionAheadError(after, end);
  const considered = new Considered(source.reader, end);
  let delivered = after;
  for await (const item of openSubscription(source, options)) {
    if (!('mark' in item)) {
      const event = decodeEvent(item);
      if (!event || !passes(filter, event)) continue;
      delivered = event.position;
      yield { kind: 'event', event };
    } else if (item.mark === 'caught-up') {
      if (newest !== null && isPast(newest, delivered)) {
        delivered = newest;
        yield { kind: 'checkpoint', position: newest };
        if (signal.aborted) return;
      }
      yield { kind: 'caught-up' };
    } else if (item.mark === 'checkpoint') {
      const position = await considered.upTo(item.position);
      if (position === null || !isPast(position, delivered)) continue;
      delivered = position;
      yield { kind: 'checkpoint', position };
    }
    if (signal.aborted) return;
  }
}

/**
 * The positions up to which a server's checkpoint proves that all events were considered:
 *
 * - 2^64-1 proves nothing. Servers up to 24.10.4 send it at the end of a history in which no event
 *   passed.
 * - The position of an event from before the subscription proves that all events up to it,
 *   included, were considered.
 * - Any other position may be past the newest event. Servers from 24.10.5 send such a one after a
 *   history whose last page is exactly full. The next event is written at that position and is not
 *   considered. All events before it are, and so is the newest event known until then.
 */
class Considered {
  private known: Position | null;

  constructor(
    private readonly reader: LogReader,
    /** Newest event of any kind before the subscription began. */
    private readonly before: Position | null,
  ) {
    this.known = before;
  }

  /**
   * Returns the last position up to which all events were considered, that position included; null
   * if it is unknown.
   */
  async upTo(checkpoint: Position): Promise<Position | null> {
    if (checkpoint >= NO_PLACE) return null;
    const { before, known } = this;
    if (before !== null && checkpoint <= before) return checkpoint;
    if (known !== null && checkpoint <= known) return null;
    this.known = await this.reader.end();
    return known;
  }
}

function isPast(position: Position, delivered: Position | 'start'): boolean {
  return delivered === 'start' || position > delivered;
}

function openSubscription(
  { client, timeoutMs }: CatchUpSource,
  { after, filter, signal }: SubscribeOptions,
): AsyncGenerator<AllStreamResolvedEvent | Mark, void, undefined> {
  const subscription = client.subscribeToAll({
    fromPosition: after === 'start' ? START : parsePosition(after),
    requiresLeader: true,
    filter: serverFilter(filter, async (_, { commit }) =>
      put({ mark: 'checkpoint', position: formatPosition(commit) }),
    ),
  });
  const put = (mark: Mark): void => void subscription.push(mark);
  subscription.on('confirmation', () => put({ mark: 'confirmed' }));
  subscription.on('caughtUp', () => put({ mark: 'caught-up' }));
  return pull(subscription, {
    // The confirmation comes first and soon. After that the log may be silent, and keep-alive pings
    // detect a dead peer.
    timeoutMs: (received) => (received === 0 ? timeoutMs : Infinity),
    cancel: () => subscription.unsubscribe(),
    signal,
  });
}

/** Events that the server considers together, and the number of such windows per checkpoint. */
const WINDOW = 500;
const CHECKPOINT_INTERVAL = 2;

type OnCheckpoint = NonNullable<Filter['checkpointReached']>;

/**
 * Returns the part of a filter that the server supports: one expression, on types if there are any,
 * otherwise on categories. Without either it still excludes the database's own events.
 */
function serverFilter(
  filter: SubscriptionFilter | undefined,
  checkpointReached: OnCheckpoint,
): Filter {
  const common = {
    maxSearchWindow: WINDOW,
    checkpointInterval: CHECKPOINT_INTERVAL,
    checkpointReached,
  };
  if (filter?.types)
    return eventTypeFilter({ ...common, regex: `^(${filter.types.map(escaped).join('|')})$` });
  if (filter?.categories) {
    return streamNameFilter({
      ...common,
      prefixes: filter.categories.map((category) => `${category}-`),
    });
  }
  return excludeSystemEvents(common);
}

/** Reports whether an event that the server delivered passes the whole filter. */
function passes(filter: SubscriptionFilter | undefined, event: RecordedEvent): boolean {
  if (filter?.types && !filter.types.includes(event.type)) return false;
  return (
    !filter?.categories ||
    filter.categories.includes(event.stream.slice(0, event.stream.indexOf('-')))
  );
}

function escaped(type: string): string {
  return type.replace(/[^A-Za-z0-9_]/g, '\\$&');
}
