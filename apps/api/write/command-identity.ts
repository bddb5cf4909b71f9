import { createHash } from 'node:crypto';

import { uuidv5, uuidv7 } from '#platform';

import type { Caller } from '../auth/caller.js';

/**
 * What makes a command one: with an Idempotency-Key its id follows from tenant, route and key, so that a twin request
 * collides in the same stream; without one it is new each time. It never follows from the request id.
 */
export interface CommandIdentity {
  readonly commandId: string;
  /** Present with an Idempotency-Key; goes into the metadata of the command's first event. */
  readonly idempotency: { readonly key_hash: string; readonly body_hash: string } | undefined;
  /** Id of something this command makes: derived from a keyed command, else new and sortable by time. */
  newId(kind: string): string;
}

/** @param body the request's body as it was parsed, or undefined. */
export function commandIdentity(caller: Caller, body: unknown): CommandIdentity {
  if (caller.idempotencyKey === undefined) {
    return { commandId: uuidv7(), idempotency: undefined, newId: () => uuidv7() };
  }
  const commandId = uuidv5('command', caller.tenantId, caller.route, caller.idempotencyKey);
  return {
    commandId,
    idempotency: {
      key_hash: sha256(`${caller.tenantId}\n${caller.idempotencyKey}`),
      body_hash: sha256(JSON.stringify(sorted(body ?? null))),
    },
    newId: (kind) => uuidv5(kind, commandId),
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Two bodies that differ in the order of their keys alone are the same. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
