import { readdir, readFile } from 'node:fs/promises';

import { unlessMissing } from '../../files/unless-missing.js';
import { isKeyId, type KeyId } from '../key-slot.js';

/** The ring's own master key, from versions without fingerprints in the name; and later ones. */
export const MASTER_KEY_FILE = /^master(-[0-9a-f]{16})?\.key$/;
/** Fingerprints of the master keys that wrap the keys of a ring, with names of the same form. */
export const FINGERPRINT_FILE = /^master(-[0-9a-f]{16})?\.sha256$/;

/** Returns the file name of a master key, with its shortened fingerprint. */
export function masterKeyFile(fingerprint: string): string {
  return `master-${fingerprint.slice(0, 16)}.key`;
}

export function fingerprintFile(fingerprint: string): string {
  return `master-${fingerprint.slice(0, 16)}.sha256`;
}

export function keyFile(tenantId: string, id: KeyId): string {
  return `${checked(tenantId)}.${id}.key`;
}

export function destroyedFile(tenantId: string): string {
  return `${checked(tenantId)}.destroyed`;
}

/**
 * Returns the files of a tenant's keys, oldest kind first; a key from before key ids has the empty
 * one.
 */
export function keyFilesOf(
  tenantId: string,
  names: readonly string[],
): { readonly name: string; readonly id: KeyId }[] {
  const own = `${checked(tenantId)}.`;
  const found = names
    .filter((name) => name.startsWith(own) && name.endsWith('.key'))
    .map((name) => ({
      name,
      id: name === `${own}key` ? '' : name.slice(own.length, -'.key'.length),
    }));
  return found
    .filter(({ id }) => id === '' || isKeyId(id))
    .sort((one, two) => (one.id < two.id ? -1 : 1));
}

/**
 * Returns files with current or destroyed keys of tenants. A master key wraps keys, and seals
 * nothing itself.
 */
export function tenantFiles(names: readonly string[]): readonly string[] {
  return names.filter((name) => /\.(key|destroyed)$/.test(name) && !MASTER_KEY_FILE.test(name));
}

export async function hasNoTenant(directory: string): Promise<boolean> {
  return tenantFiles(await namesIn(directory)).length === 0;
}

/** Returns the names in a folder, empty if it is missing. */
export async function namesIn(directory: string): Promise<readonly string[]> {
  return (await unlessMissing(readdir(directory))) ?? [];
}

export function readOptional(path: string): Promise<Buffer | null> {
  return unlessMissing(readFile(path));
}

function checked(tenantId: string): string {
  if (!/^[0-9a-z-]{1,64}$/.test(tenantId))
    throw new Error('A tenant id must have only lower-case letters, digits and dashes');
  return tenantId;
}
