import { createHash } from 'node:crypto';

import { dashed } from './dashed.js';

/** Root of every name-derived id. Changing it changes every derived id. */
const NAMESPACE = Buffer.from('6f6f746e6f745e008000666e742d6964', 'hex');

/**
 * Returns the id of these parts (UUID version 5), always the same. Parts are length-prefixed, so
 * `['a', 'bc']` and `['ab', 'c']` differ. Chunks get their ids here: it takes a third of the time
 * of the package `uuid`.
 *
 * @throws URIError for half of a surrogate pair, which has no bytes of its own.
 */
export function uuidv5(...parts: readonly string[]): string {
  const name = parts.map((part) => `${part.length}:${part}`).join('|');
  if (!name.isWellFormed()) throw new URIError('an id cannot be derived from malformed text');
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return dashed(bytes.toString('hex', 0, 16));
}
