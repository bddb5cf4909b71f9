import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

import { KeyDestroyedError, type Sealed } from './key-ring.port.js';
import { decrypt, encrypt } from './sealing.js';

/**
 * Tells one data key of a tenant from another. The empty one is that of keys made before keys had
 * ids.
 */
export type KeyId = string;

/**
 * A tenant's place in a ring: its data keys, or that they are gone for good. Usually it is one key;
 * there are more where a ring was lost, a new one was begun, and the old one was put back.
 */
export type KeySlot = ReadonlyMap<KeyId, KeyObject> | 'destroyed';

/** Between the id of the key and what it sealed; no base64 has it. */
const ID_END = '.';
const KEY_ID = /^[0-9a-f]{8}$/;

/** An id that no other key of the tenant has, in whatever ring. */
export function newKeyId(): KeyId {
  return randomBytes(4).toString('hex');
}

export function isKeyId(text: string): boolean {
  return KEY_ID.test(text);
}

/** A key's 32 bytes as an object: it seals three times as fast as bytes, and no log prints it. */
export function keyObject(key: Buffer): KeyObject {
  return createSecretKey(key);
}

/** The text tells which key sealed it. @throws KeyDestroyedError without a key. */
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
 * @returns null when the key that sealed it is gone. @throws Error when that key is there and
 * nothing fits.
 */
export function openFrom(slot: KeySlot | null, context: string, sealed: Sealed): string | null {
  if (slot === null || slot === 'destroyed') return null;
  const end = sealed.indexOf(ID_END);
  const key = slot.get(end < 0 ? '' : sealed.slice(0, end));
  return key
    ? decrypt(key, context, Buffer.from(sealed.slice(end + 1), 'base64')).toString('utf8')
    : null;
}

/** What a ring tells of a tenant. */
export function standingOf(slot: KeySlot | null): 'present' | 'absent' | 'destroyed' {
  if (slot === 'destroyed') return slot;
  return slot !== null && slot.size > 0 ? 'present' : 'absent';
}
