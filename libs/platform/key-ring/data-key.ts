import { randomBytes } from 'node:crypto';

import { KeyDestroyedError, type KeyRing, type Sealed } from './key-ring.port.js';
import { keyObject } from './key-slot.js';
import { decrypt, encrypt } from './sealing.js';

/** Seals and opens text for a place, with any key. */
export type Sealer = Pick<KeyRing, 'seal' | 'open'>;

/**
 * Returns a key for the texts of one thing, in base64. It is stored sealed with keys of the ring:
 * once one of those is destroyed, neither it nor its texts can be opened.
 */
export function newDataKey(): string {
  return randomBytes(32).toString('base64');
}

/** Seals with a data key like the ring does with its own. */
export function sealerOf(dataKey: string): Sealer {
  const key = keyObject(Buffer.from(dataKey, 'base64'));
  return {
    seal: async (tenantId, context, text) =>
      encrypt(key, `${tenantId}/${context}`, Buffer.from(text)).toString('base64') as Sealed,
    open: async (tenantId, context, sealed) =>
      decrypt(key, `${tenantId}/${context}`, Buffer.from(sealed, 'base64')).toString('utf8'),
  };
}

/** The sealer of a data key that cannot be opened any more. */
export const DESTROYED_SEALER: Sealer = Object.freeze({
  seal: async (tenantId: string) => {
    throw new KeyDestroyedError(tenantId);
  },
  open: async () => null,
});
