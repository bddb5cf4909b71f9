import { crc32 } from 'node:zlib';

import type { VocabularyTables } from './vocabulary-tables.js';

/**
 * Tables of a vocabulary in one file: magic, number of slots and of tokens, CRC32 of the rest, then
 * slots, starts, ranks and bytes. Little-endian, like every platform of Node; read in place.
 */
const MAGIC = 0x31564b54; // "TKV1"
const HEADER_BYTES = 16;

/** Returns the tables as the bytes of a file; the same tables result in the same bytes. */
export function encodeTables({ slots, starts, ranks, bytes }: VocabularyTables): Uint8Array {
  const body = Buffer.concat([slots, starts, ranks, bytes].map(bytesOf));
  const header = Uint32Array.of(MAGIC, slots.length, ranks.length, crc32(body));
  return Buffer.concat([bytesOf(header), body]);
}

/**
 * Returns the tables as views of the bytes; undefined for anything but sound tables. The bytes must
 * start at a multiple of four in their memory.
 */
export function decodeTables(file: Uint8Array): VocabularyTables | undefined {
  const { buffer, byteOffset, length } = file;
  if (length < HEADER_BYTES || byteOffset % 4 !== 0) return undefined;
  const [magic, slots = 0, tokens = 0, sum] = new Uint32Array(buffer, byteOffset, 4);
  const body = file.subarray(HEADER_BYTES);
  const end = 4 * (slots + tokens + 1 + tokens);
  if (magic !== MAGIC || body.length < end || crc32(body) !== sum) return undefined;
  const at = byteOffset + HEADER_BYTES;
  return {
    slots: new Int32Array(buffer, at, slots),
    starts: new Uint32Array(buffer, at + 4 * slots, tokens + 1),
    ranks: new Uint32Array(buffer, at + 4 * (slots + tokens + 1), tokens),
    bytes: body.subarray(end),
  };
}

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}
