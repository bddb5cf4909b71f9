import { once } from 'node:events';

import streams from '@eventstore/db-client/generated/streams_pb.js';
import { type ServerWritableStream, status } from '@grpc/grpc-js';

import type { Log, LogRecord } from './log.js';
import { placeOf } from './place.js';
import { Subscription, type SubscriptionBehavior } from './subscription.js';
import { plainStatus, readEvent, streamDeleted, streamIdentifier, streamName } from './wire.js';

type Call = ServerWritableStream<streams.ReadReq, streams.ReadResp>;

const { BACKWARDS } = streams.ReadReq.Options.ReadDirection;

/**
 * Serves the Read call: one stream or the whole log, either way, or as a subscription to the whole
 * log.
 */
export async function serveRead(
  log: Log,
  behavior: SubscriptionBehavior,
  call: Call,
): Promise<void> {
  const options = call.request.getOptions();
  if (!options) throw new Error('A read without options');
  const ended = new AbortController();
  for (const event of ['cancelled', 'close', 'error']) call.on(event, () => ended.abort());
  const send = async (response: streams.ReadResp): Promise<void> => {
    if (ended.signal.aborted || call.write(response)) return;
    await once(call, 'drain', { signal: ended.signal }).catch(() => undefined);
  };
  if (options.hasSubscription()) {
    await new Subscription(log, behavior, options, { send, ended: ended.signal }).run();
  } else if (options.hasAll()) {
    await readAll(log, options, send, ended.signal);
  } else {
    await readStream(log, options, call, send, ended.signal);
  }
  if (!ended.signal.aborted) call.end();
}

type Send = (response: streams.ReadResp) => Promise<void>;

async function readStream(
  log: Log,
  options: streams.ReadReq.Options,
  call: Call,
  send: Send,
  ended: AbortSignal,
): Promise<void> {
  const wanted = options.getStream();
  const name = streamName(wanted?.getStreamIdentifier());
  const found = log.visible(name);
  if (found.kind === 'tombstoned') {
    call.emit('error', streamDeleted(name));
    return;
  }
  if (found.kind !== 'found') {
    const missing = new streams.ReadResp.StreamNotFound().setStreamIdentifier(
      streamIdentifier(name),
    );
    return send(new streams.ReadResp().setStreamNotFound(missing));
  }
  const { records } = found;
  const backwards = options.getReadDirection() === BACKWARDS;
  const first = records[0]?.revision ?? 0;
  const from = wanted?.hasRevision()
    ? Number(wanted.getRevision()) - first
    : backwards
      ? Infinity
      : 0;
  const start = backwards ? Math.min(from, records.length - 1) : Math.max(from, 0);
  await sendFrom(records, start, backwards, options, send, ended);
}

async function readAll(
  log: Log,
  options: streams.ReadReq.Options,
  send: Send,
  ended: AbortSignal,
): Promise<void> {
  const wanted = options.getAll();
  const backwards = options.getReadDirection() === BACKWARDS;
  const position = wanted?.getPosition();
  const place = position ? placeOf(position) : wanted?.hasEnd() ? 'end' : { commit: 0, prepare: 0 };
  if (
    place !== 'end' &&
    !(backwards ? log.readsBackwards(place.commit) : log.readsForwards(place.commit))
  ) {
    throw plainStatus(status.UNKNOWN, 'Unexpected ReadAllResult: InvalidPosition');
  }
  // Backwards begins before the position, forwards at it.
  const at = place === 'end' ? log.all.length : log.indexFrom(place);
  await sendFrom(log.all, backwards ? at - 1 : at, backwards, options, send, ended);
}

async function sendFrom(
  records: readonly LogRecord[],
  start: number,
  backwards: boolean,
  options: streams.ReadReq.Options,
  send: Send,
  ended: AbortSignal,
): Promise<void> {
  const step = backwards ? -1 : 1;
  let left = Number(options.getCount());
  for (let index = start; left > 0 && !ended.aborted; index += step, left -= 1) {
    const record = records[index];
    if (!record) return;
    await send(readEvent(record));
  }
}
