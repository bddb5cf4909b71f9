import { z } from 'zod';

import { id, instant } from '../fields.js';
import { defineEvent, type EventOf } from './define-event.js';

export const KEY_SCOPES = ['read', 'write', 'audit'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/**
 * Stream `apikey-<id>`. The secret itself is never stored: only its SHA-256 and the first
 * characters for display.
 */
export const apiKeyIssued = defineEvent(
  'ApiKeyIssued',
  1,
  z.object({
    key_id: id,
    name: z.string(),
    prefix: z.string(),
    digest: z.string().regex(/^[0-9a-f]{64}$/),
    scopes: z.array(z.enum(KEY_SCOPES)),
    expires_at: instant.nullable(),
  }),
);

export const apiKeyRevoked = defineEvent('ApiKeyRevoked', 1, z.object({ key_id: id }));

/** The key was used at this time; at most once an hour, however often it was. */
export const apiKeyUsed = defineEvent('ApiKeyUsed', 1, z.object({ key_id: id, used_at: instant }));

export const apiKeyEvents = [apiKeyIssued, apiKeyRevoked, apiKeyUsed] as const;
export type ApiKeyEvent = EventOf<(typeof apiKeyEvents)[number]>;
