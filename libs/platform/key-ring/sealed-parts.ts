import type { Sealer } from './data-key.js';
import { KeyDestroyedError, type Sealed } from './key-ring.port.js';

/** Nonce and tag of the seal. */
const SEAL_BYTES = 28;
/** Characters before it: which key sealed. */
const KEY_ID_CHARACTERS = 9;

/**
 * The owner of the text, and the place that its parts are bound to: sealed for one place they do
 * not open at another.
 */
export interface SealedPlace {
  readonly tenantId: string;
  readonly boundTo: string;
}

/**
 * Seals text in parts, so that events of a bounded size can hold it.
 *
 * @param rooms bytes of the first sealed part, and of each further one
 * @returns no part where the tenant's key was destroyed: text that may not be stored is not written
 */
export async function sealParts(
  keys: Sealer,
  { tenantId, boundTo }: SealedPlace,
  text: string,
  rooms: readonly [number, number],
): Promise<readonly string[]> {
  try {
    return await Promise.all(
      cut(text, rooms).map((part, at) => keys.seal(tenantId, `${boundTo}/${at}`, part)),
    );
  } catch (error) {
    if (error instanceof KeyDestroyedError) return [];
    throw error;
  }
}

/** @returns null where the key was destroyed. @throws Error when the parts were tampered with. */
export async function openParts(
  keys: Sealer,
  { tenantId, boundTo }: SealedPlace,
  parts: readonly string[],
): Promise<string | null> {
  const opened = await Promise.all(
    parts.map((part, at) => keys.open(tenantId, `${boundTo}/${at}`, part as Sealed)),
  );
  return opened.length === 0 || opened.includes(null) ? null : opened.join('');
}

/**
 * Cuts text so that its sealed parts fit: the first into the first room, all others into the last.
 * Never within a character.
 */
function cut(text: string, rooms: readonly [number, number]): string[] {
  const parts: string[] = [];
  const encoder = new TextEncoder();
  const buffer = new Uint8Array(Math.max(...rooms));
  for (let at = 0; at < text.length;) {
    const room = parts.length === 0 ? rooms[0] : rooms[1];
    // A part that has no room for a character is empty: its seal alone is written.
    const bytes = Math.max(0, Math.floor((room - KEY_ID_CHARACTERS) / 4) * 3 - SEAL_BYTES);
    const { read } = encoder.encodeInto(text.slice(at, at + bytes), buffer.subarray(0, bytes));
    parts.push(text.slice(at, at + read));
    at += read;
  }
  return parts;
}
