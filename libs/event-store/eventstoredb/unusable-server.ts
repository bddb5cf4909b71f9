import { isFootnoteError } from '#contracts';
import { tlsFailure } from '#platform';

import { isRefusedLogin, isUndiscovered } from './client-faults.js';
import { firstHost } from './connection-string.js';
import { endClient, guardedClient } from './guarded-client.js';
import { LogReader } from './log-reader.js';
import { tlsMismatch } from './tls-mismatch.js';

const DIAGNOSIS_MS = 2_000;

/**
 * Returns an error that says what an operator has to fix before the log opens; null if waiting may
 * help.
 */
export async function unusableServer(error: unknown, url: string): Promise<Error | null> {
  const cause = isUndiscovered(error) ? await undiscoveredFor(url) : error;
  if (!isRefusedLogin(cause))
    return tlsFailure('EventStoreDB', cause) ?? (isAway(error) ? tlsMismatch(url) : null);
  return new Error(
    'EventStoreDB rejects these credentials; its user must be allowed to read $all',
    { cause },
  );
}

function isAway(error: unknown): boolean {
  return isFootnoteError(error, 'engine_unavailable');
}

/**
 * Returns the reason of a failed discovery, as far as the first host reports it, because the client
 * hides it.
 */
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
