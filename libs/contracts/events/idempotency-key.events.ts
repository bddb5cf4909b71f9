import { z } from 'zod';

import { id, instant } from '../fields.js';
import { defineEvent, type EventOf } from './define-event.js';

/**
 * Stream `idempotency-<id>`, whose id is derived from tenant, route and key. The key identifies one
 * command until it expires. `body_hash` is that of the body and the path's parameters.
 */
export const idempotencyKeyUsed = defineEvent(
  'IdempotencyKeyUsed',
  1,
  z.object({ command_id: id, body_hash: z.string().regex(/^[0-9a-f]{64}$/), expires_at: instant }),
);

export const idempotencyKeyEvents = [idempotencyKeyUsed] as const;
export type IdempotencyKeyEvent = EventOf<(typeof idempotencyKeyEvents)[number]>;
