/** The header of a pack. Its tenant and source are checked wherever the pack is used. */
export interface PackMeta {
  readonly tenant_id: string;
  readonly source_id: string;
  readonly analyzer: string;
  readonly embedder: { readonly id: string; readonly dimensions: number };
  readonly chunks: number;
  /** Σ of the weighted lengths. */
  readonly total_length: number;
  /**
   * Present if some chunk has a fragment: then the section `chunk_fragments` has the string id of
   * each chunk's.
   */
  readonly fragments?: true;
}

/** Columns of the chunk table, one `u32` each. */
export const Column = {
  path: 0,
  ordinal: 1,
  /** 0 if the chunk has no lines. */
  startLine: 2,
  endLine: 3,
  tokenCount: 4,
  /** String ids; {@link NO_STRING} for none. */
  symbol: 5,
  language: 6,
  /** Index into CHUNK_TYPES. */
  chunkType: 7,
  endpointKey: 8,
  schemaHash: 9,
  textBlock: 10,
  textOffset: 11,
  textLength: 12,
} as const;
export const COLUMNS = 13;
export const NO_STRING = 0xffff_ffff;
export const ID_BYTES = 16;
export const HASH_BYTES = 32;

/**
 * Sections that a serving engine reads from disk or lays out itself; all others are kept in memory
 * unchanged.
 */
export const TEXT_SECTION = 'text';
export const VECTOR_SECTION = 'vectors';

/** Written if some chunk has a fragment, and missing from older packs. */
export const FRAGMENT_SECTION = 'chunk_fragments';

/**
 * Written if some chunk records the text around it: the distinct gaps, and the number of each
 * chunk's. Missing from older packs.
 */
export const GAP_PAIR_SECTION = 'gap_pairs';
export const GAP_SECTION = 'chunk_gaps';

/** Sections of the trigrams; missing from older packs. The postings are read from disk. */
export const TRIGRAM_TABLE_SECTION = 'trigram_table';
export const TRIGRAM_SECTION = 'trigrams';

const HEX = Buffer.from('0123456789abcdef');
const DASH = 0x2d;
/** The value of each hexadecimal digit, by its code. */
const HEX_VALUES: readonly (number | undefined)[] = Array.from({ length: 128 }, (_, code) => {
  const value = parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? undefined : value;
});
/** Bytes of a UUID that are followed by a dash. */
const DASH_AFTER = [3, 5, 7, 9];

const text = Buffer.alloc(36, DASH);
/** Offset in the text of the two digits of each byte. */
const digitsAt = Array.from(
  { length: 16 },
  (_, byte) => 2 * byte + DASH_AFTER.filter((last) => last < byte).length,
);

/**
 * Returns the 16 bytes at `start` as a UUID in lower case. A search writes hundreds, so each takes
 * one string and no pieces.
 */
export function uuidText(bytes: Uint8Array, start: number): string {
  for (let i = 0; i < digitsAt.length; i++) {
    const byte = bytes[start + i] as number;
    const at = digitsAt[i] as number;
    text[at] = HEX[byte >> 4] as number;
    text[at + 1] = HEX[byte & 15] as number;
  }
  return text.toString('latin1');
}

const parsed = Buffer.alloc(16);

/**
 * Returns the 16 bytes of a UUID, in either case and with dashes anywhere; undefined for any other
 * text. They are valid until the next call.
 */
export function uuidBytes(id: string): Uint8Array | undefined {
  let digits = 0;
  let byte = 0;
  for (let at = 0; at < id.length; at += 1) {
    const code = id.charCodeAt(at);
    if (code === DASH) continue;
    const value = HEX_VALUES[code];
    if (value === undefined || digits === 2 * parsed.length) return undefined;
    byte = (byte << 4) | value;
    if (digits % 2 === 1) parsed[digits >> 1] = byte;
    digits += 1;
  }
  return digits === 2 * parsed.length ? parsed : undefined;
}
