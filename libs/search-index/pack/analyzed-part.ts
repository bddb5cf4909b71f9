import type { SourceChunk } from '#contracts';

import { asFloat32, asInt8, asUint32, decodeSections, encodeSections } from './sections.js';
import { encodeStrings, stringTable } from './sorted-tables.js';
import { type StoredText, TextBlocks, type TextSpan } from './text-blocks.js';

/** A chunk without its text. */
export type ChunkRecord = Omit<SourceChunk, 'content'>;

/** Vectors of a part or pack, consecutive, quantized to one byte per dimension. */
export interface QuantizedVectors {
  readonly embedderId: string;
  readonly dimensions: number;
  /** `dimensions` values per chunk. */
  readonly values: Int8Array;
  /** One per chunk; 0 for a chunk without a vector. */
  readonly scales: Float32Array;
}

/**
 * Some chunks of a source with everything that indexing needs: the artifact of workers that {@link
 * buildPack} merges. Terms are a dictionary and, for each chunk, the ids and weighted frequencies
 * of its terms.
 */
export interface AnalyzedPart {
  readonly analyzer: string;
  readonly chunks: readonly ChunkRecord[];
  readonly terms: readonly string[];
  /** `chunks + 1` offsets into `termIds` and `frequencies`. */
  readonly termOffsets: Uint32Array;
  readonly termIds: Uint32Array;
  readonly frequencies: Uint8Array;
  /** Weighted length of each chunk. */
  readonly lengths: Uint32Array;
  /** Null until a remote embedder has returned them. */
  readonly vectors: QuantizedVectors | null;
  /** Returns the UTF-8 text of a chunk. */
  textOf(index: number): Uint8Array;
  /** The same texts as stored, if available; whole blocks of them need not be compressed again. */
  readonly stored?: StoredText;
}

/** A part that can be encoded. */
export interface StorablePart extends AnalyzedPart {
  readonly stored: StoredText;
}

interface PartMeta {
  readonly analyzer: string;
  readonly embedder: { readonly id: string; readonly dimensions: number } | null;
}

export function encodePart(part: StorablePart): Uint8Array {
  const { vectors, stored } = part;
  const dictionary = encodeStrings(part.terms);
  const meta: PartMeta = {
    analyzer: part.analyzer,
    embedder: vectors ? { id: vectors.embedderId, dimensions: vectors.dimensions } : null,
  };
  return encodeSections(meta, {
    chunks: Buffer.from(JSON.stringify(part.chunks)),
    dictionary_offsets: dictionary.offsets,
    dictionary: dictionary.bytes,
    term_offsets: part.termOffsets,
    term_ids: part.termIds,
    frequencies: part.frequencies,
    lengths: part.lengths,
    vectors: vectors?.values ?? new Int8Array(),
    scales: vectors?.scales ?? new Float32Array(),
    text_spans: stored.spans,
    text_table: stored.table,
    text: stored.data,
  });
}

/** @throws BadSectionsError if the bytes are damaged or of another format. */
export function decodePart(bytes: Uint8Array): StorablePart {
  const { meta, section } = decodeSections<PartMeta>(bytes);
  const dictionary = stringTable(asUint32(section('dictionary_offsets')), section('dictionary'));
  const stored: StoredText = {
    spans: asUint32(section('text_spans')),
    table: asUint32(section('text_table')),
    data: section('text'),
  };
  return {
    analyzer: meta.analyzer,
    chunks: JSON.parse(Buffer.from(section('chunks')).toString()) as ChunkRecord[],
    terms: Array.from({ length: dictionary.size }, (_, id) => dictionary.at(id)),
    termOffsets: asUint32(section('term_offsets')),
    termIds: asUint32(section('term_ids')),
    frequencies: section('frequencies'),
    lengths: asUint32(section('lengths')),
    vectors: meta.embedder && {
      embedderId: meta.embedder.id,
      dimensions: meta.embedder.dimensions,
      values: asInt8(section('vectors')),
      scales: asFloat32(section('scales')),
    },
    textOf: textReader(stored),
    stored,
  };
}

/** Locations and texts of the chunks of a part. */
export interface PartTexts {
  readonly chunks: readonly Pick<ChunkRecord, 'path' | 'ordinal'>[];
  /** Returns the UTF-8 text of a chunk. */
  textOf(index: number): Uint8Array;
}

/**
 * Decodes only locations and texts of a part; other fields of its chunks are not kept.
 * @throws BadSectionsError if the bytes are damaged or of another format.
 */
export function decodePartTexts(bytes: Uint8Array): PartTexts {
  const { section } = decodeSections<PartMeta>(bytes);
  const chunks = JSON.parse(Buffer.from(section('chunks')).toString()) as ChunkRecord[];
  return {
    chunks: chunks.map(({ path, ordinal }) => ({ path, ordinal })),
    textOf: textReader({
      spans: asUint32(section('text_spans')),
      table: asUint32(section('text_table')),
      data: section('text'),
    }),
  };
}

/** Returns a reader for single texts in compressed blocks. */
export function textReader({ spans, table, data }: StoredText): (index: number) => Uint8Array {
  const blocks = new TextBlocks(table, (offset, length) => data.subarray(offset, offset + length));
  return (index) =>
    blocks.bytes(Array.from(spans.subarray(index * 3, index * 3 + 3)) as unknown as TextSpan);
}

/** Returns the same part with vectors of a remote embedder; one per chunk, in order. */
export function withVectors(part: StorablePart, vectors: QuantizedVectors): StorablePart {
  if (
    vectors.scales.length !== part.chunks.length ||
    vectors.values.length !== part.chunks.length * vectors.dimensions
  ) {
    throw new RangeError(
      `vectors must be ${part.chunks.length}, one per chunk, of ${vectors.dimensions} dimensions`,
    );
  }
  return { ...part, vectors };
}
