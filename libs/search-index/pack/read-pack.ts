import type { SourceChunk } from '#contracts';

import type { ChunkRecord } from './analyzed-part.js';
import { type PackMeta, TEXT_SECTION, VECTOR_SECTION } from './pack-layout.js';
import { PackTables } from './pack-tables.js';
import { asInt8, decodeSections } from './sections.js';
import { TextBlocks } from './text-blocks.js';

/** A whole pack in memory. */
export interface Pack {
  readonly meta: PackMeta;
  readonly tables: PackTables;
  /** `dimensions` quantized values per chunk; the scales are in the tables. */
  readonly vectors: Int8Array;
  text(chunk: number): Uint8Array;
  /** Returns the chunk without its text. */
  record(chunk: number): ChunkRecord;
  /** Returns the chunk as it was indexed. */
  chunk(chunk: number): SourceChunk;
  /**
   * Returns ids and frequencies of each chunk's terms, rebuilt from the postings: `offsets` has one
   * entry more than chunks.
   */
  forwardTerms(): ForwardTerms;
}

/** Terms per chunk; ids are those of `tables.terms`. */
export interface ForwardTerms {
  readonly offsets: Uint32Array;
  readonly termIds: Uint32Array;
  readonly frequencies: Uint8Array;
}

/**
 * Opens a pack.
 * @throws BadSectionsError if the bytes are damaged or of another format.
 */
export function readPack(bytes: Uint8Array): Pack {
  const { meta, section, has } = decodeSections<PackMeta>(bytes);
  const tables = new PackTables(meta, section, has);
  const data = section(TEXT_SECTION);
  const blocks = new TextBlocks(tables.textTable, (offset, length) =>
    data.subarray(offset, offset + length),
  );
  const text = (chunk: number): Uint8Array => blocks.bytes(tables.textSpan(chunk));
  return {
    meta,
    tables,
    vectors: asInt8(section(VECTOR_SECTION)),
    text,
    record: (chunk) => chunkRecord(tables, chunk),
    chunk: (chunk) => ({
      ...chunkRecord(tables, chunk),
      content: Buffer.from(text(chunk)).toString(),
    }),
    forwardTerms: () => forwardTerms(tables),
  };
}

function chunkRecord(tables: PackTables, chunk: number): ChunkRecord {
  const startLine = tables.startLine(chunk);
  const endLine = tables.endLine(chunk);
  const symbol = tables.symbol(chunk);
  const fragment = tables.fragment(chunk);
  const endpointKey = tables.endpointKey(chunk);
  const schemaHash = tables.schemaHash(chunk);
  const definitions = tables.definitions(chunk);
  const members = tables.members(chunk);
  return {
    chunk_id: tables.chunkId(chunk),
    path: tables.path(chunk),
    ordinal: tables.ordinal(chunk),
    content_hash: tables.contentHash(chunk),
    token_count: tables.tokenCount(chunk),
    ...(startLine !== undefined && { start_line: startLine }),
    ...(endLine !== undefined && { end_line: endLine }),
    ...(symbol !== undefined && { symbol }),
    ...(fragment !== undefined && { fragment }),
    defs: tables.defs(chunk),
    ...(definitions.length > 0 && { definitions }),
    ...(members.length > 0 && { members }),
    chunk_type: tables.chunkType(chunk),
    language: tables.language(chunk),
    ...tables.gap(chunk),
    ...(endpointKey !== undefined && { endpoint_key: endpointKey }),
    ...(schemaHash !== undefined && { schema_hash: schemaHash }),
  };
}

function forwardTerms({
  chunkCount,
  postingOffsets,
  postingChunks,
  postingFrequencies,
  terms,
}: PackTables): ForwardTerms {
  const offsets = new Uint32Array(chunkCount + 1);
  for (const chunk of postingChunks) offsets[chunk + 1] = (offsets[chunk + 1] as number) + 1;
  for (let chunk = 0; chunk < chunkCount; chunk++) {
    offsets[chunk + 1] = (offsets[chunk + 1] as number) + (offsets[chunk] as number);
  }
  const termIds = new Uint32Array(postingChunks.length);
  const frequencies = new Uint8Array(postingChunks.length);
  const cursor = offsets.slice();
  for (let term = 0; term < terms.size; term++) {
    const end = postingOffsets[term + 1] as number;
    for (let at = postingOffsets[term] as number; at < end; at++) {
      const chunk = postingChunks[at] as number;
      const slot = cursor[chunk] as number;
      termIds[slot] = term;
      frequencies[slot] = postingFrequencies[at] as number;
      cursor[chunk] = slot + 1;
    }
  }
  return { offsets, termIds, frequencies };
}
