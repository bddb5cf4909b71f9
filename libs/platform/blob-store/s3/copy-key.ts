import { randomBytes } from 'node:crypto';

import { BlobNotFoundError } from '../blob-errors.js';

/**
 * One object: one write of a blob. Keys of a blob are together in a listing, in the order of their
 * writes.
 */
export interface Copy {
  readonly key: string;
  readonly hash: string;
  /** Milliseconds since the epoch, by the clock of the writing process. */
  readonly writtenAt: number;
}

const HASH = /^[0-9a-f]{64}$/;
const KEY = /^[0-9a-f]{2}\/([0-9a-f]{64})\.(\d{14})-[0-9a-f]{16}$/;

/**
 * Returns the prefix of every copy of a blob.
 * @throws BlobNotFoundError if the name is not a hash.
 */
export function copiesPrefix(prefix: string, hash: string): string {
  if (!HASH.test(hash)) throw new BlobNotFoundError(hash);
  return `${prefix}${hash.slice(0, 2)}/${hash}.`;
}

/** Returns a unique key for one write. */
export function newCopy(prefix: string, hash: string, writtenAt: number): Copy {
  const time = String(writtenAt).padStart(14, '0');
  return {
    key: `${copiesPrefix(prefix, hash)}${time}-${randomBytes(8).toString('hex')}`,
    hash,
    writtenAt,
  };
}

/** @returns null for an object that is not a copy of a blob. */
export function parseCopy(prefix: string, key: string): Copy | null {
  const [, hash, time] = KEY.exec(key.slice(prefix.length)) ?? [];
  return key.startsWith(prefix) && hash && time ? { key, hash, writtenAt: Number(time) } : null;
}
