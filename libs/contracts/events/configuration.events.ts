import { z } from 'zod';

import { defineEvent, type EventOf } from './define-event.js';

/**
 * Stream `configuration-<process>`: a process started with other settings than at its last start.
 * Only names and digests are there, and for secrets only the name.
 */
export const serviceConfigured = defineEvent(
  'ServiceConfigured',
  1,
  z.object({
    process: z.string().regex(/^[a-z]{1,32}$/),
    /** Names of variables with the SHA-256 of the value, hex; null for a secret. */
    settings: z.record(
      z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/),
      z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .nullable(),
    ),
  }),
);

export const configurationEvents = [serviceConfigured] as const;
export type ConfigurationEvent = EventOf<(typeof configurationEvents)[number]>;
