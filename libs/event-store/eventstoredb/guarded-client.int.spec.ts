import { EventStoreDBClient } from '@eventstore/db-client';
import { describe, expect, it } from '@jest/globals';

import { EventStoreDbServer } from '#test/support/eventstoredb/server';

import { endClient, guardedClient } from './guarded-client.js';

interface Internals {
  handleError: (client: unknown, error: Error) => Promise<void>;
}

/** A cluster that was there: its addresses refuse connections. */
async function nodesThatAreGone(): Promise<string> {
  const nodes = [await EventStoreDbServer.start(), await EventStoreDbServer.start()];
  for (const node of nodes) node.stop();
  return `esdb://${nodes.map((node) => `127.0.0.1:${node.port}`).join(',')}?tls=false&maxDiscoverAttempts=2`;
}

/** A second call of a lost connection fails while the first one's retry looks for a node. */
async function loseDuringDiscovery(client: EventStoreDBClient): Promise<void> {
  const retry = client.readStream('source-any');
  retry.on('error', () => undefined);
  const lost = Object.assign(new Error('14 UNAVAILABLE'), { code: 14, details: 'Connection dropped' });
  await (client as unknown as Internals).handleError({ getChannel: () => ({}) }, lost);
}

describe('guarded client', () => {
  it('swallows the rejection that the bare client leaves unhandled when no node can be found', async () => {
    const url = await nodesThatAreGone();
    const [bare, guarded] = [EventStoreDBClient.connectionString(url), guardedClient(url)];
    await expect(loseDuringDiscovery(bare)).rejects.toThrow('Failed to discover');
    await expect(loseDuringDiscovery(guarded)).resolves.toBeUndefined();
    await Promise.all([endClient(bare), endClient(guarded)]);
  });
});
