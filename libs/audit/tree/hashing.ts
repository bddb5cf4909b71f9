import { hash } from 'node:crypto';

/** Bytes of a hash of the tree. */
export const HASH_BYTES = 32;

/** Returns the hash of a leaf: SHA-256 of 0x00 and its content (RFC 9162, section 2.1.1). */
export function leafHash(content: string | Uint8Array): Buffer {
  // A text that begins with U+0000 has the byte 0x00 first.
  if (typeof content === 'string') return hash('sha256', `\u0000${content}`, 'buffer');
  return hash('sha256', Buffer.concat([Buffer.of(0), content]), 'buffer');
}

/** Returns the hash of an inner node: SHA-256 of 0x01 and the hashes of both children. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([Buffer.of(1), left, right]), 'buffer');
}

/** Returns the root of a tree without leaves: SHA-256 of nothing. */
export function emptyRoot(): Buffer {
  return hash('sha256', '', 'buffer');
}
