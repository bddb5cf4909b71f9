import { START, type AllStreamResolvedEvent, type EventStoreDBClient } from '@eventstore/db-client';

import type { Position } from '#contracts';

import { PositionAheadError } from '../errors/position-ahead.error.js';
import type { SubscribeOptions, SubscriptionDelivery } from '../event-store.port.js';
import { decodeEvent } from './event-codec.js';
import type { LogReader } from './log-reader.js';
import { formatPosition, parsePosition } from './position.js';
import { pull } from './pull.js';
import { passes, serverFilter } from './subscription-filter.js';

export interface CatchUpSource {
  readonly client: EventStoreDBClient;
  readonly reader: LogReader;
  /** Milliseconds until the server must have confirmed. */
  readonly timeoutMs: number;
}

/** What the client tells by callbacks, put in its place among the events. */
type Mark = { readonly mark: 'confirmed' | 'caught-up' } | { readonly mark: 'checkpoint'; readonly position: Position };

/**
 * One subscription on one connection; it ends or throws when the connection is lost. The client calls back ahead of the
 * events it still buffers, so what it tells is put into the same buffer and comes out in order.
 * @throws PositionAheadError; the client's errors.
 */
export async function* catchUp(
  source: CatchUpSource,
  options: SubscribeOptions,
): AsyncGenerator<SubscriptionDelivery, void, undefined> {
  const { after, filter, signal } = options;
  let end = await source.reader.end();
  if (after !== 'start' && (end === null || after > end)) throw new PositionAheadError(after, end);
  let told = after;
  for await (const item of openSubscription(source, options)) {
    if (!('mark' in item)) {
      const event = decodeEvent(item);
      if (!event || !passes(filter, event)) continue;
      told = event.position;
      yield { kind: 'event', event };
    } else if (item.mark === 'caught-up') {
      yield { kind: 'caught-up' };
    } else if (item.mark === 'checkpoint') {
      let { position } = item;
      // The server may name a place past the newest event; handed out, it would look like the trace of a lost log.
      if (end === null || position > end) end = await source.reader.end();
      if (end !== null && position > end) position = end;
      if (told !== 'start' && position <= told) continue;
      told = position;
      yield { kind: 'checkpoint', position };
    }
    if (signal.aborted) return;
  }
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
    // The confirmation comes first and soon; after that the log may be silent, and keep-alive pings notice a dead peer.
    timeoutMs: (received) => (received === 0 ? timeoutMs : Infinity),
    cancel: () => subscription.unsubscribe(),
    signal,
  });
}
