import { randomBytes } from 'node:crypto';

import { KeyDestroyedError, type KeyRing, type Sealed } from './key-ring.port.js';
import { keyObject } from './key-slot.js';
import { decrypt, encrypt } from './sealing.js';

/** Seals and opens text for a place, with whatever key. */
export type Sealer = Pick<KeyRing, 'seal' | 'open'>;

/**
 * A key for the texts of one thing, in base64. It is kept sealed with keys of the ring: once one of
 * those is destroyed, nothing opens it, and so nothing that it sealed.
 */
export function newDataKey(): string {
  return randomBytes(32).toString('base64');
}

/** Seals with a data key as the ring does with its own. */
export function sealerOf(dataKey: string): Sealer {
  const key = keyObject(Buffer.from(dataKey, 'base64'));
  return {
    seal: async (tenantId, context, text) =>
      encrypt(key, `${tenantId}/${context}`, Buffer.from(text)).toString('base64') as Sealed,
    open: async (tenantId, context, sealed) =>
      decrypt(key, `${tenantId}/${context}`, Buffer.from(sealed, 'base64')).toString('utf8'),
  };
}

/** Stands for a data key that nothing opens any more. */
export const DESTROYED_SEALER: Sealer = Object.freeze({
  seal: async (tenantId: string) => {
    throw new KeyDestroyedError(tenantId);
  },
  open: async () => null,
});
