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

/** What lies past any log. */
const NO_PLACE = formatPosition(2n ** 63n);

export interface CatchUpSource {
  readonly client: EventStoreDBClient;
  readonly reader: LogReader;
  /** Milliseconds until the server must have confirmed. */
  readonly timeoutMs: number;
}

/** What the client tells by callbacks, put in its place among the events. */
type Mark =
  | { readonly mark: 'confirmed' | 'caught-up' }
  | { readonly mark: 'checkpoint'; readonly position: Position };

/**
 * One subscription on one connection; it ends or throws when the connection is lost. The client
 * calls back ahead of the events it still buffers, so what it tells is put into the same buffer and
 * comes out in order.
 *
 * A checkpoint is handed out only where nothing that passes the filter can still come at or before
 * it, and a server's own are not always such places (`Considered`). What is told at the end of the
 * history instead is the event that was the newest before the subscription began.
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
  let told = after;
  for await (const item of openSubscription(source, options)) {
    if (!('mark' in item)) {
      const event = decodeEvent(item);
      if (!event || !passes(filter, event)) continue;
      told = event.position;
      yield { kind: 'event', event };
    } else if (item.mark === 'caught-up') {
      if (newest !== null && isPast(newest, told)) {
        told = newest;
        yield { kind: 'checkpoint', position: newest };
        if (signal.aborted) return;
      }
      yield { kind: 'caught-up' };
    } else if (item.mark === 'checkpoint') {
      const position = await considered.upTo(item.position);
      if (position === null || !isPast(position, told)) continue;
      told = position;
      yield { kind: 'checkpoint', position };
    }
    if (signal.aborted) return;
  }
}

/**
 * What a server's checkpoint proves, in places where an event stands:
 *
 * - 2^64-1 proves nothing. Servers up to 24.10.4 send it at the end of a history in which nothing
 *   passed.
 * - Where an event stood before the subscription began, all was considered up to and including it.
 * - Any other may stand past the newest event, as from 24.10.5 on after a history whose last page
 *   is just full: the next event is written at that very place, and is not considered. What came
 *   before it is, and so is the newest event known until then.
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
   * The furthest place up to and including which all was considered; null when that is not known.
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

function isPast(position: Position, told: Position | 'start'): boolean {
  return told === 'start' || position > told;
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
    // The confirmation comes first and soon; after that the log may be silent, and keep-alive pings
    // notice a dead peer.
    timeoutMs: (received) => (received === 0 ? timeoutMs : Infinity),
    cancel: () => subscription.unsubscribe(),
    signal,
  });
}

/** Events that the server looks at together, and how many such looks there are to a checkpoint. */
const WINDOW = 500;
const CHECKPOINT_INTERVAL = 2;

type OnCheckpoint = NonNullable<Filter['checkpointReached']>;

/**
 * The part of a filter that the server takes: one expression, on types where there are any, else on
 * categories. Without either it still leaves out what the database writes for itself.
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

/** The whole filter, for what the server let through. */
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
