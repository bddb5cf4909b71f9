import type { IncomingHttpHeaders } from 'node:http';

import { uuidv7 } from '#platform';

const SANE = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * The client's `X-Request-Id` when it is a sane token, else a new id: nothing else gets into logs
 * and events.
 */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SANE.test(given) ? given : uuidv7();
}
