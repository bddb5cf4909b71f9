import { RECEIPT_EVENT_BYTES } from '#contracts';
import { KeyDestroyedError, type KeyRing, type Sealed } from '#platform';

import type { SearchRequest } from '../answer/search-request.js';

/** What a person typed or chose: it is in no event in the clear. */
export type TypedRequest = Pick<SearchRequest, 'query' | 'source_ids' | 'path_patterns' | 'languages'>;

/** Nonce and tag of the seal. */
const SEAL_BYTES = 28;
/** Characters before it: which key sealed. */
const KEY_ID_CHARACTERS = 9;
/** JSON around a part that stands in an event of its own. */
const PART_FRAME_BYTES = 64;

/** A sealed request: its first part goes into the receipt, the rest into events after it. */
export interface SealedRequest {
  readonly first: string | null;
  readonly rest: readonly string[];
}

/**
 * Seals what was typed, cut so that no event with a part of it is over {@link RECEIPT_EVENT_BYTES}.
 * @param room bytes that the receipt has left for the first part
 * @returns no part where the tenant's key was destroyed: what may not be kept is not written
 */
export async function sealRequest(
  keyRing: KeyRing,
  { tenantId, boundTo }: { readonly tenantId: string; readonly boundTo: string },
  request: TypedRequest,
  room: number,
): Promise<SealedRequest> {
  const parts = cut(JSON.stringify(request), [room, RECEIPT_EVENT_BYTES - PART_FRAME_BYTES]);
  try {
    const [first = null, ...rest] = await Promise.all(
      parts.map((part, at) => keyRing.seal(tenantId, partContext(boundTo, at), part)),
    );
    return { first, rest };
  } catch (error) {
    if (error instanceof KeyDestroyedError) return { first: null, rest: [] };
    throw error;
  }
}

/** @returns null where the key was destroyed. @throws Error when the parts were tampered with. */
export async function openRequest(
  keyRing: KeyRing,
  { tenantId, boundTo }: { readonly tenantId: string; readonly boundTo: string },
  parts: readonly string[],
): Promise<TypedRequest | null> {
  const opened = await Promise.all(
    parts.map((part, at) => keyRing.open(tenantId, partContext(boundTo, at), part as Sealed)),
  );
  if (opened.length === 0 || opened.includes(null)) return null;
  return JSON.parse(opened.join('')) as TypedRequest;
}

function partContext(boundTo: string, part: number): string {
  return `${boundTo}/request/${part}`;
}

/** Cuts text so that its sealed parts fit: the first into the first room, all others into the last. Never within a character. */
function cut(text: string, rooms: readonly [number, number]): string[] {
  const parts: string[] = [];
  const encoder = new TextEncoder();
  const buffer = new Uint8Array(RECEIPT_EVENT_BYTES);
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
