import { EventStoreDBClient } from '@eventstore/db-client';

import { sleep } from '#platform';

import { withoutIpServername } from './client-tls.js';
import { malformed } from './connection-string.js';

/**
 * Calls are cancelled locally, which takes no time. This is the limit for what another version of
 * the client might wait for.
 */
const CLOSE_TIMEOUT_MS = 2_000;

/** A gRPC call with a readable side. */
interface Call {
  cancel(): void;
  resume(): unknown;
}

interface Channel {
  close(): void;
}

/** Properties of the client that its types hide. */
interface Internals {
  handleError: (client: unknown, error: Error) => Promise<void>;
  createChannel: () => Promise<Channel>;
  GRPCStreamCreator: (...how: readonly unknown[]) => () => Promise<Call>;
}

/** The channel of each client, and whether the client was ended. */
const channels = new WeakMap<EventStoreDBClient, { current: Channel | null; ended: boolean }>();

/**
 * Creates a client that cannot end the process, keeps nothing of finished calls, and ends without
 * waiting. It works around four behaviors of the client:
 *
 * - It handles the loss of a connection in a promise that nobody awaits, which is rejected while no
 *   node of a cluster is found.
 * - If the reader left a call that the server had already ended, it keeps that call forever.
 *   Received data must be read until a stream is finished, and `dispose` waits for all streams.
 * - Asking for its channel in order to close it may search for a cluster node again, so the channel
 *   is recorded.
 * - It sends a host that is an IP as the server's name.
 * @throws RangeError for a malformed connection string, or one that names an unreadable file.
 */
export function guardedClient(url: string): EventStoreDBClient {
  const client = clientOf(url);
  const internals = client as unknown as Internals;
  const { handleError, createChannel, GRPCStreamCreator } = internals;
  const own: { current: Channel | null; ended: boolean } = { current: null, ended: false };
  channels.set(client, own);
  internals.handleError = (lost, error) => handleError(lost, error).catch(() => undefined);
  internals.createChannel = async () => {
    const channel = closedOnce(await createChannel());
    own.current = channel;
    if (own.ended) channel.close();
    return channel;
  };
  const known = new WeakSet<Call>();
  internals.GRPCStreamCreator = (...how) => {
    const create = GRPCStreamCreator(...how);
    return async () => {
      const call = await create();
      // Appends share one call.
      if (!known.has(call)) drainOnCancel(call);
      known.add(call);
      return call;
    };
  };
  return client;
}

/**
 * Ends a client's calls, which settles its pending appends, and closes its channel, which `dispose`
 * alone leaves open.
 */
export async function endClient(client: EventStoreDBClient): Promise<void> {
  const own = channels.get(client);
  if (own) own.ended = true;
  await Promise.race([client.dispose(), sleep(CLOSE_TIMEOUT_MS, undefined, { unref: true })]);
  own?.current?.close();
}

/**
 * Reads and discards the received data of a cancelled call, which has no reader, so that the call
 * finishes.
 */
function drainOnCancel(call: Call): void {
  const cancel = call.cancel.bind(call);
  call.cancel = () => {
    cancel();
    call.resume();
  };
}

/**
 * Makes `close` of a channel idempotent. The client closes a failed channel, even its last one.
 * Channels share connections, which are counted.
 */
function closedOnce(channel: Channel): Channel {
  const close = channel.close.bind(channel);
  let open = true;
  channel.close = () => {
    if (open) close();
    open = false;
  };
  return channel;
}

function clientOf(url: string): EventStoreDBClient {
  try {
    return withoutIpServername(() => EventStoreDBClient.connectionString(url));
  } catch (error) {
    throw malformed(error);
  }
}
