import { SYSTEM_TENANT } from '#contracts';
import { uuidv5 } from '#platform';

import type { Caller, Visitor } from '../../auth/caller.js';
import type { CommandIdentity } from '../../write/command-identity.js';
import type { PersonOf } from './personal-text.js';

/** Returns a visitor as the person that they registered or signed in as. */
export function personCaller(visitor: Visitor, { tenantId, userId }: PersonOf): Caller {
  return { ...visitor, tenantId, actor: { type: 'user', id: userId }, scopes: [], expiresAt: null };
}

/** Returns the caller for a visitor without an account or a session. */
export function strangerCaller(visitor: Visitor): Caller {
  return {
    ...visitor,
    tenantId: SYSTEM_TENANT,
    actor: { type: 'system', id: 'people' },
    scopes: [],
    expiresAt: null,
  };
}

/**
 * The identity of one step of a command that writes to several streams: repeated, each step is
 * known again.
 */
export function stepOf(commandId: string, step: string): CommandIdentity {
  const id = uuidv5(step, commandId);
  return { commandId: id, idempotency: undefined, newId: (kind) => uuidv5(kind, id) };
}
