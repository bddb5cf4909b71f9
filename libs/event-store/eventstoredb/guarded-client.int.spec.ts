import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { describe, expect, it, jest } from '@jest/globals';

import { EventStoreDbServer } from '#test/support/eventstoredb/server';

import { endClient, guardedClient } from './guarded-client.js';

interface Internals {
  handleError: (client: unknown, error: Error) => Promise<void>;
  createChannel: () => Promise<unknown>;
}

/** Returns a cluster address whose nodes refuse connections. */
async function nodesThatAreGone(): Promise<string> {
  const nodes = [await EventStoreDbServer.start(), await EventStoreDbServer.start()];
  for (const node of nodes) node.stop();
  return `esdb://${nodes.map((node) => `127.0.0.1:${node.port}`).join(',')}?tls=false&maxDiscoverAttempts=2`;
}

/**
 * Loses the connection during discovery: a second call fails while the retry of the first one
 * searches for a node.
 */
async function loseDuringDiscovery(client: EventStoreDBClient): Promise<void> {
  const retry = client.readStream('source-any');
  retry.on('error', () => undefined);
  const lost = Object.assign(new Error('14 UNAVAILABLE'), {
    code: 14,
    details: 'Connection dropped',
  });
  await (client as unknown as Internals).handleError({ getChannel: () => ({}) }, lost);
}

/**
 * More than the client's own stream buffers, and few enough that the rest stays in gRPC, the end of
 * the call included.
 */
const ENDED_UNREAD = 40;

/** Returns the client's calls that are not appends. */
function reads(client: EventStoreDBClient): Readable[] {
  const calls = (client as unknown as { readonly disposableStreams: ReadonlySet<Readable> })
    .disposableStreams;
  return [...calls].filter((call) => !('write' in call));
}

/** Begins to read, waits until the server has sent everything including the end, and leaves. */
async function leaveEndedRead(client: EventStoreDBClient): Promise<void> {
  const stream = client.readStream('sample-1', { maxCount: ENDED_UNREAD });
  await once(stream, 'readable');
  const [call] = reads(client);
  if (!call) throw new Error('The client holds no call');
  await once(call, 'status');
  stream.destroy();
  await stream.cancel();
  await setImmediate();
}

describe('guarded client', () => {
  it('handles the rejection that the bare client leaves unhandled when no node can be found', async () => {
    const url = await nodesThatAreGone();
    const [bare, guarded] = [EventStoreDBClient.connectionString(url), guardedClient(url)];
    await expect(loseDuringDiscovery(bare)).rejects.toThrow('Failed to discover');
    await expect(loseDuringDiscovery(guarded)).resolves.toBeUndefined();
    await Promise.all([endClient(bare), endClient(guarded)]);
  });

  it('releases a call that the server ended before its reader left, which the bare client keeps and waits for', async () => {
    const server = await EventStoreDbServer.start();
    const [bare, guarded] = [
      EventStoreDBClient.connectionString(server.url),
      guardedClient(server.url),
    ];
    try {
      const events = Array.from({ length: ENDED_UNREAD }, () =>
        jsonEvent({ type: 'Sample', data: {} }),
      );
      await guarded.appendToStream('sample-1', events);
      for (const [client, left] of [
        [bare, 1],
        [guarded, 0],
      ] as const) {
        await leaveEndedRead(client);
        expect(reads(client)).toHaveLength(left);
      }
      for (const call of reads(bare)) call.resume();
    } finally {
      await Promise.all([endClient(bare), endClient(guarded)]);
      server.stop();
    }
  });

  it('ends after a lost connection without searching for a node again', async () => {
    const node = await EventStoreDbServer.start();
    const client = guardedClient(node.url);
    const subscription = client.subscribeToAll();
    await once(subscription, 'confirmation');
    const lost = once(subscription, 'error');
    node.stop();
    await lost;
    await setImmediate();
    const looks = jest.spyOn(client as unknown as Internals, 'createChannel');
    await endClient(client);
    expect(looks).not.toHaveBeenCalled();
  });
});
