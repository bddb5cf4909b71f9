import { z } from 'zod';

import { id } from '../fields.js';
import { defineEvent, type EventOf } from './define-event.js';

/**
 * Stream `generation-<source id>`: the generation's content may leave the index and, later, the
 * blob store.
 */
export const generationDropped = defineEvent(
  'GenerationDropped',
  1,
  z.object({
    source_id: id,
    generation: z.number().int().positive(),
    reason: z.enum(['superseded', 'cancelled', 'failed', 'source_removed']),
  }),
);

export const generationEvents = [generationDropped] as const;
export type GenerationEvent = EventOf<(typeof generationEvents)[number]>;
