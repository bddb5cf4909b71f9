/** What a pack says of itself. The tenant and source in it are checked wherever the pack is used. */
export interface PackMeta {
  readonly tenant_id: string;
  readonly source_id: string;
  readonly analyzer: string;
  readonly embedder: { readonly id: string; readonly dimensions: number };
  readonly chunks: number;
  /** Σ of the weighted lengths. */
  readonly total_length: number;
}

/** Columns of the chunk table, `u32` each. */
export const Column = {
  path: 0,
  ordinal: 1,
  /** 0 where the chunk has no lines. */
  startLine: 2,
  endLine: 3,
  tokenCount: 4,
  /** String ids; {@link NO_STRING} where there is none. */
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

/** Sections that a serving engine reads from disk or lays out itself; all others are kept in memory as they are. */
export const TEXT_SECTION = 'text';
export const VECTOR_SECTION = 'vectors';
