import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

import { TimeSlices } from '../concurrency/time-slices.js';
import { keyObject } from './key-slot.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Bytes encrypted between two checks of the clock: a fraction of a millisecond. */
const PIECE_BYTES = 512 * 1024;

/** A data key ready to seal bytes; see `newDataKey`. */
export function bytesKey(dataKey: string): KeyObject {
  return keyObject(Buffer.from(dataKey, 'base64'));
}

/**
 * Seals bytes with AES-256-GCM, after a readable head. The head is authenticated: bytes moved
 * behind another head do not open. Large bytes yield to the event loop between their pieces.
 * @returns head, nonce, ciphertext and tag in one.
 */
export async function sealBytes(
  key: KeyObject,
  head: Uint8Array,
  plain: Uint8Array,
): Promise<Uint8Array> {
  const sealed = new Uint8Array(head.length + NONCE_BYTES + plain.length + TAG_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  sealed.set(head);
  sealed.set(nonce, head.length);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(head);
  const start = head.length + NONCE_BYTES;
  for await (const [at, piece] of piecesOf(plain)) sealed.set(cipher.update(piece), start + at);
  cipher.final();
  sealed.set(cipher.getAuthTag(), start + plain.length);
  return sealed;
}

/**
 * Opens the output of `sealBytes`.
 * @param headLength bytes of the head.
 * @throws Error if key, head or bytes do not match.
 */
export async function openBytes(
  key: KeyObject,
  sealed: Uint8Array,
  headLength: number,
): Promise<Uint8Array> {
  const start = headLength + NONCE_BYTES;
  const end = sealed.length - TAG_BYTES;
  if (end < start) throw new Error('Sealed bytes are too short');
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(headLength, start))
    .setAAD(sealed.subarray(0, headLength))
    .setAuthTag(sealed.subarray(end));
  const plain = new Uint8Array(end - start);
  for await (const [at, piece] of piecesOf(sealed.subarray(start, end)))
    plain.set(decipher.update(piece), at);
  decipher.final();
  return plain;
}

async function* piecesOf(
  bytes: Uint8Array,
): AsyncGenerator<readonly [at: number, piece: Uint8Array]> {
  const slices = new TimeSlices();
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield [at, bytes.subarray(at, at + PIECE_BYTES)];
    await slices.pause();
  }
}
