import { createSecretKey, type KeyObject } from 'node:crypto';

import { KeyDestroyedError, type Sealed } from './key-ring.port.js';
import { decrypt, encrypt } from './sealing.js';

/** A tenant's place in a ring: its data key, or that it is gone for good. A tenant that never had one has no slot. */
export type KeySlot = { readonly key: KeyObject } | 'destroyed';

/** A slot of a key's 32 bytes. A key object seals three times as fast as bytes, and no log prints it. */
export function keySlot(key: Buffer): KeySlot {
  return { key: createSecretKey(key) };
}

/** @throws KeyDestroyedError without a key. */
export function sealIn(slot: KeySlot | null, tenantId: string, context: string, text: string): Sealed {
  if (slot === null || slot === 'destroyed') throw new KeyDestroyedError(tenantId);
  return encrypt(slot.key, context, Buffer.from(text)).toString('base64') as Sealed;
}

/** @returns null when the key was destroyed. @throws Error when there never was one, or nothing fits. */
export function openFrom(slot: KeySlot | null, tenantId: string, context: string, sealed: Sealed): string | null {
  if (slot === 'destroyed') return null;
  if (slot === null) throw new Error(`Tenant ${tenantId} has no data key`);
  return decrypt(slot.key, context, Buffer.from(sealed, 'base64')).toString('utf8');
}
