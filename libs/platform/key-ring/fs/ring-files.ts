import { readdir, readFile } from 'node:fs/promises';

import { isKeyId, type KeyId } from '../key-slot.js';

/**
 * The ring's own master key, made before master keys had their fingerprint in the name; and later
 * ones.
 */
export const MASTER_KEY_FILE = /^master(-[0-9a-f]{16})?\.key$/;
/** Fingerprints of the master keys that wrap the keys of a ring, likewise. */
export const FINGERPRINT_FILE = /^master(-[0-9a-f]{16})?\.sha256$/;

/** A master key's fingerprint, shortened for the name of its files. */
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
 * The files of a tenant's keys, oldest kind first; a key made before keys had ids has the empty
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

/** Files that hold, or held, keys of tenants. A master key wraps keys, and seals nothing itself. */
export function tenantFiles(names: readonly string[]): readonly string[] {
  return names.filter((name) => /\.(key|destroyed)$/.test(name) && !MASTER_KEY_FILE.test(name));
}

export async function hasNoTenant(directory: string): Promise<boolean> {
  return tenantFiles(await namesIn(directory)).length === 0;
}

/** Names in a folder, none where there is no folder. */
export async function namesIn(directory: string): Promise<readonly string[]> {
  return (await unlessMissing(readdir(directory))) ?? [];
}

export function readOptional(path: string): Promise<Buffer | null> {
  return unlessMissing(readFile(path));
}

function checked(tenantId: string): string {
  if (!/^[0-9a-z-]{1,64}$/.test(tenantId))
    throw new Error('A tenant id has lower-case letters, digits and dashes');
  return tenantId;
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
