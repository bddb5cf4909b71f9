import { EventStoreDBClient } from '@eventstore/db-client';

import { sleep } from '#platform';

import { malformed } from './connection-string.js';

const CLOSE_TIMEOUT_MS = 2_000;

/** What the client has and its types hide. */
interface Internals {
  handleError: (client: unknown, error: Error) => Promise<void>;
  getChannel(): Promise<{ close(): void }>;
}

/**
 * A client that cannot end the process: left alone it handles the loss of a connection in a promise that nobody awaits, and
 * that is rejected while no node of a cluster can be found.
 * @throws RangeError for a malformed connection string, or one that names a file which cannot be read.
 */
export function guardedClient(url: string): EventStoreDBClient {
  const client = clientOf(url);
  const internals = client as unknown as Internals;
  const { handleError } = internals;
  internals.handleError = (lost, error) => handleError(lost, error).catch(() => undefined);
  return client;
}

function clientOf(url: string): EventStoreDBClient {
  try {
    return EventStoreDBClient.connectionString(url);
  } catch (error) {
    throw malformed(error);
  }
}

/** Ends a client's calls, which settles its pending appends, and closes its channel, which `dispose` alone leaves open. */
export async function endClient(client: EventStoreDBClient): Promise<void> {
  const ending = client
    .dispose()
    .then(() => (client as unknown as Internals).getChannel())
    .then((channel) => channel.close())
    .catch(() => undefined);
  await Promise.race([ending, sleep(CLOSE_TIMEOUT_MS, undefined, { unref: true })]);
}
