import { isFootnoteError } from '#contracts';
import { tlsFailure } from '#platform';

import { isRefusedLogin, isUndiscovered } from './client-faults.js';
import { firstHost } from './connection-string.js';
import { endClient, guardedClient } from './guarded-client.js';
import { LogReader } from './log-reader.js';
import { tlsMismatch } from './tls-mismatch.js';

const DIAGNOSIS_MS = 2_000;

/** What an operator has to mend when the log does not open; null for what waiting may mend. */
export async function unusableServer(error: unknown, url: string): Promise<Error | null> {
  const cause = isUndiscovered(error) ? await undiscoveredFor(url) : error;
  if (!isRefusedLogin(cause))
    return tlsFailure('EventStoreDB', cause) ?? (isAway(error) ? tlsMismatch(url) : null);
  return new Error(
    'EventStoreDB refuses these credentials; its user must be allowed to read $all',
    { cause },
  );
}

function isAway(error: unknown): boolean {
  return isFootnoteError(error, 'engine_unavailable');
}

/** Why discovery failed, as far as the first host tells: the client keeps it to itself. */
async function undiscoveredFor(url: string): Promise<unknown> {
  const client = guardedClient(firstHost(url));
  try {
    return await new LogReader(client, DIAGNOSIS_MS).end();
  } catch (error) {
    return error;
  } finally {
    await endClient(client);
  }
}
