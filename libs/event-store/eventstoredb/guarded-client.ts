import { EventStoreDBClient } from '@eventstore/db-client';

import { sleep } from '#platform';

import { withoutIpServername } from './client-tls.js';
import { malformed } from './connection-string.js';

/**
 * Calls are cancelled on this side alone, which needs no time; this bounds what another version of
 * the client might wait for.
 */
const CLOSE_TIMEOUT_MS = 2_000;

/** A call of gRPC that is read, or read and written. */
interface Call {
  cancel(): void;
  resume(): unknown;
}

interface Channel {
  close(): void;
}

/** What the client has and its types hide. */
interface Internals {
  handleError: (client: unknown, error: Error) => Promise<void>;
  createChannel: () => Promise<Channel>;
  GRPCStreamCreator: (...how: readonly unknown[]) => () => Promise<Call>;
}

/** The channel of each client, and whether the client has been ended. */
const channels = new WeakMap<EventStoreDBClient, { current: Channel | null; ended: boolean }>();

/**
 * A client that cannot end the process, keeps nothing of a call that is over, and can be ended
 * without waiting.
 *
 * - Left alone it handles the loss of a connection in a promise that nobody awaits, and that is
 *   rejected while no node of a cluster can be found.
 * - Left alone it keeps a call whose reader went away for good when the server had ended it by
 *   then: what had arrived has to be read until a stream is finished, and `dispose` waits for all
 *   of them.
 * - Its channel is noted: to ask for it, so as to close it, may look for a node of the cluster once
 *   more.
 * - A host that is an IP is not sent as the server's name.
 * @throws RangeError for a malformed connection string, or one that names a file which cannot be
 * read.
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
 * A cancelled call has no reader any more: what arrived before is let go, so that the call is
 * finished.
 */
function drainOnCancel(call: Call): void {
  const cancel = call.cancel.bind(call);
  call.cancel = () => {
    cancel();
    call.resume();
  };
}

/**
 * The client closes a channel that failed, its last one too. Connections are shared among channels,
 * and counted.
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
