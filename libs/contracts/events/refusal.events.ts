import { z } from 'zod';

import { digest, id, instant } from '../fields.js';
import { defineEvent, type EventOf } from './define-event.js';

/** Most events of refused requests that a tenant gets in one minute. */
export const MOST_REFUSAL_EVENTS = 60;

/** Most refusals that one event can count. */
const MOST_COUNTED = 1_000_000_000;

/**
 * Stream `refusals-<minute_id>`, whose id is derived from tenant and minute. One event counts the
 * refused requests of one actor or address with one code in one minute. It contains the pattern of
 * the first route and nothing that the client typed.
 */
export const requestsRefused = defineEvent(
  'RequestsRefused',
  1,
  z.object({
    code: z.string().min(1).max(64),
    status: z.number().int().min(400).max(499),
    minute: instant,
    count: z.number().int().min(1).max(MOST_COUNTED),
    /** Method and pattern of the first refused request's route. */
    route: z.string().min(1).max(256),
    /** The account that a sign-in named, if it exists. */
    user_id: id.nullable(),
    /** Keyed digest of the unknown name in the first refused sign-in. */
    account_digest: digest.nullable(),
    /** The source that a refused push named, if it takes pushes. */
    source_id: id.nullable(),
    /** Earlier refusals of the tenant that no event counts, because of the limits. */
    uncounted: z.number().int().min(0).max(MOST_COUNTED),
  }),
);

export const refusalEvents = [requestsRefused] as const;
export type RefusalEvent = EventOf<(typeof refusalEvents)[number]>;
