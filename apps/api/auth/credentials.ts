import type { IncomingHttpHeaders } from 'node:http';

import { FootnoteError } from '#contracts';

const BEARER = /^Bearer +([\x21-\x7e]{1,256})$/i;
const VISIBLE = /^[\x21-\x7e]{1,256}$/;

/** Returns whether a request names an API key, well-formed or not. */
export function carriesApiKey(headers: IncomingHttpHeaders): boolean {
  return headers.authorization !== undefined || headers['x-api-key'] !== undefined;
}

/**
 * The API key that a request carries, by `Authorization: Bearer` or `X-API-Key`.
 * @throws FootnoteError `unauthorized` when there is none, it is malformed, or two headers name
 * different keys.
 */
export function credentialOf(headers: IncomingHttpHeaders): string {
  const bearer =
    headers.authorization === undefined ? undefined : BEARER.exec(headers.authorization)?.[1];
  const plain = headers['x-api-key'];
  if (headers.authorization !== undefined && bearer === undefined) throw unauthorized();
  if (plain !== undefined && (typeof plain !== 'string' || !VISIBLE.test(plain)))
    throw unauthorized();
  if (bearer !== undefined && plain !== undefined && bearer !== plain) throw unauthorized();
  const key = bearer ?? plain;
  if (key === undefined) throw unauthorized();
  return key;
}

/**
 * One message for every reason, so that an answer shows nothing about which keys and sessions
 * exist.
 */
export function unauthorized(): FootnoteError {
  return new FootnoteError(
    'unauthorized',
    'Valid credentials are required: send an API key as Authorization: Bearer or X-API-Key, or sign in',
  );
}
