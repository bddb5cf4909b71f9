import { z } from 'zod';

import { defineEvent, type EventOf } from './define-event.js';

/**
 * Stream `log-identity`: the first event of a log that began empty. The random id makes the log's
 * first event, and with it the log's identity, unique. Logs of older versions begin with another
 * event, which identifies them as well.
 */
export const logCreated = defineEvent('LogCreated', 1, z.object({ log_id: z.uuid() }));

export const logEvents = [logCreated] as const;
export type LogEvent = EventOf<(typeof logEvents)[number]>;
