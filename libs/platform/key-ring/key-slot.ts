import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

import { KeyDestroyedError, type Sealed } from './key-ring.port.js';
import { decrypt, encrypt } from './sealing.js';

/** Identifies one data key of a tenant. Keys from before key ids have the empty one. */
export type KeyId = string;

/**
 * A tenant's entry in a ring: its data keys, or that they are destroyed. Usually it is one key.
 * There are more if a ring was lost, a new one was started, and the old one was restored.
 */
export type KeySlot = ReadonlyMap<KeyId, KeyObject> | 'destroyed';

/** Separates the id of the key from the sealed text; not a base64 character. */
const ID_END = '.';
const KEY_ID = /^[0-9a-f]{8}$/;

/** Returns an id that no other key of the tenant has, in any ring. */
export function newKeyId(): KeyId {
  return randomBytes(4).toString('hex');
}

export function isKeyId(text: string): boolean {
  return KEY_ID.test(text);
}

/**
 * Returns a key's 32 bytes as an object: it seals three times as fast as bytes, and no log prints
 * it.
 */
export function keyObject(key: Buffer): KeyObject {
  return createSecretKey(key);
}

/**
 * Seals a text, which then contains the id of its key.
 * @throws KeyDestroyedError without a key.
 */
export function sealIn(
  slot: KeySlot | null,
  tenantId: string,
  context: string,
  text: string,
): Sealed {
  const [entry] = slot === null || slot === 'destroyed' ? [] : slot;
  if (!entry) throw new KeyDestroyedError(tenantId);
  const [id, key] = entry;
  const sealed = encrypt(key, context, Buffer.from(text)).toString('base64');
  return (id === '' ? sealed : `${id}${ID_END}${sealed}`) as Sealed;
}

/**
 * @returns null if its key is gone.
 * @throws Error if the key exists and nothing matches.
 */
export function openFrom(slot: KeySlot | null, context: string, sealed: Sealed): string | null {
  if (slot === null || slot === 'destroyed') return null;
  const end = sealed.indexOf(ID_END);
  const key = slot.get(end < 0 ? '' : sealed.slice(0, end));
  return key
    ? decrypt(key, context, Buffer.from(sealed.slice(end + 1), 'base64')).toString('utf8')
    : null;
}

/** Returns the state of a tenant's entry. */
export function standingOf(slot: KeySlot | null): 'present' | 'absent' | 'destroyed' {
  if (slot === 'destroyed') return slot;
  return slot !== null && slot.size > 0 ? 'present' : 'absent';
}
