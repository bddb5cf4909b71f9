import { CHUNK_TYPES } from '#contracts/content/chunk';

import type { AnalyzedPart } from './analyzed-part.js';
import { packGaps } from './chunk-gaps.js';
import { PLACE_SECTIONS } from './definition-places.js';
import {
  invertDefinitions,
  invertTerms,
  type PackedChunk,
  placeDefinitions,
} from './invert-chunks.js';
import {
  Column,
  COLUMNS,
  FRAGMENT_SECTION,
  GAP_PAIR_SECTION,
  GAP_SECTION,
  HASH_BYTES,
  ID_BYTES,
  NO_STRING,
  type PackMeta,
  TEXT_SECTION,
  TRIGRAM_SECTION,
  TRIGRAM_TABLE_SECTION,
  VECTOR_SECTION,
} from './pack-layout.js';
import { memberSections, packMembers } from './pack-members.js';
import { inPackOrder } from './pack-order.js';
import { encodeSections } from './sections.js';
import { encodeStrings, inUtf8Order } from './sorted-tables.js';
import { storeTexts } from './store-texts.js';
import { type PackedTrigrams, packTrigrams } from './trigrams/pack-trigrams.js';

export interface BuiltPack {
  readonly bytes: Uint8Array;
  readonly chunkCount: number;
  /** The chunks of each document, in path order. */
  readonly documents: readonly {
    readonly path: string;
    readonly first: number;
    readonly chunks: number;
  }[];
}

/**
 * Merges parts into one pack, ordered by path and ordinal. The same chunks result in the same
 * bytes, however they were divided into parts. CPU-heavy: runs in a worker thread. Needs about
 * twice the pack's size in memory.
 *
 * @throws RangeError if parts differ in analyzer or embedder, or lack vectors.
 */
export function buildPack(parts: readonly AnalyzedPart[], meta: MetaOfPack): BuiltPack {
  const pack = preparePack(parts, meta);
  return pack.finish(packTrigrams(pack.chunks));
}

/** The part of a pack's header that its parts do not determine. */
type MetaOfPack = Pick<PackMeta, 'tenant_id' | 'source_id' | 'analyzer' | 'embedder'>;

/** A pack without its trigrams, which another thread may compute at the same time. */
export interface PreparedPack {
  /** In the order of the pack. */
  readonly chunks: readonly PackedChunk[];
  /** Encodes the pack with the trigrams of its chunks. */
  finish(trigrams: PackedTrigrams): BuiltPack;
}

/**
 * Builds everything of a pack but its trigrams.
 * @throws RangeError if parts differ in analyzer or embedder, or lack vectors.
 */
export function preparePack(parts: readonly AnalyzedPart[], meta: MetaOfPack): PreparedPack {
  for (const part of parts) checkAgreement(part, meta);
  const strings = inUtf8Order([...collectStrings(parts)]);
  const stringId = new Map(strings.map((text, id) => [text, id]));
  const packed = inPackOrder(parts, stringId);
  const text = storeTexts(packed);
  const table = new Uint32Array(packed.length * COLUMNS);
  const ids = Buffer.alloc(packed.length * ID_BYTES);
  const hashes = Buffer.alloc(packed.length * HASH_BYTES);
  const lengths = new Uint32Array(packed.length);
  const fragments = new Uint32Array(packed.length).fill(NO_STRING);
  const { dimensions } = meta.embedder;
  const vectors = new Int8Array(packed.length * dimensions);
  const scales = new Float32Array(packed.length);
  let totalLength = 0;

  packed.forEach(({ part, index, chunk }, at) => {
    const optional = (text: string | undefined): number =>
      text === undefined ? NO_STRING : (stringId.get(text) as number);
    const columns = table.subarray(at * COLUMNS, (at + 1) * COLUMNS);
    columns[Column.path] = stringId.get(chunk.path) as number;
    columns[Column.ordinal] = chunk.ordinal;
    columns[Column.startLine] = chunk.start_line ?? 0;
    columns[Column.endLine] = chunk.end_line ?? 0;
    columns[Column.tokenCount] = chunk.token_count;
    columns[Column.symbol] = optional(chunk.symbol);
    columns[Column.language] = stringId.get(chunk.language) as number;
    columns[Column.chunkType] = CHUNK_TYPES.indexOf(chunk.chunk_type);
    columns[Column.endpointKey] = optional(chunk.endpoint_key);
    columns[Column.schemaHash] = optional(chunk.schema_hash);
    fragments[at] = optional(chunk.fragment);
    columns.set(text.spans.subarray(at * 3, at * 3 + 3), Column.textBlock);
    ids.write(chunk.chunk_id.replaceAll('-', ''), at * ID_BYTES, 'hex');
    hashes.write(chunk.content_hash, at * HASH_BYTES, 'hex');
    lengths[at] = part.lengths[index] as number;
    totalLength += lengths[at];
    const own = part.vectors as NonNullable<AnalyzedPart['vectors']>;
    vectors.set(own.values.subarray(index * dimensions, (index + 1) * dimensions), at * dimensions);
    scales[at] = own.scales[index] as number;
  });

  const terms = invertTerms(parts, packed);
  const definitions = invertDefinitions(packed, stringId);
  const placed = placeDefinitions(packed, stringId);
  const members = packMembers(packed, stringId);
  const gaps = packGaps(packed, stringId);
  const encodedStrings = encodeStrings(strings);
  const withFragments = fragments.some((id) => id !== NO_STRING);
  const packMeta: PackMeta = {
    ...pickMeta(meta),
    chunks: packed.length,
    total_length: totalLength,
    ...(withFragments && { fragments: true }),
  };
  const sections = (trigrams: PackedTrigrams): Readonly<Record<string, ArrayBufferView>> => ({
    chunk_table: table,
    chunk_ids: ids,
    id_order: orderById(ids, packed.length),
    content_hashes: hashes,
    lengths,
    string_offsets: encodedStrings.offsets,
    strings: encodedStrings.bytes,
    def_offsets: definitions.offsets,
    def_names: definitions.names,
    defined_names: definitions.definedNames,
    defined_offsets: definitions.definedOffsets,
    defined_chunks: definitions.definedChunks,
    ...(placed && {
      definition_offsets: placed.offsets,
      definition_names: placed.names,
      definition_symbols: placed.symbols,
      definition_starts: placed.startLines,
      definition_ends: placed.endLines,
    }),
    ...(placed?.places && {
      [PLACE_SECTIONS.kinds]: placed.places.kinds,
      [PLACE_SECTIONS.lines]: placed.places.lines,
      [PLACE_SECTIONS.columns]: placed.places.columns,
      [PLACE_SECTIONS.lastLines]: placed.places.lastLines,
    }),
    ...memberSections(members),
    term_offsets: terms.strings.offsets,
    terms: terms.strings.bytes,
    posting_offsets: terms.offsets,
    posting_chunks: terms.chunks,
    posting_frequencies: terms.frequencies,
    text_table: text.table,
    scales,
    ...(withFragments && { [FRAGMENT_SECTION]: fragments }),
    ...(gaps && { [GAP_PAIR_SECTION]: gaps.pairs, [GAP_SECTION]: gaps.chunks }),
    [TRIGRAM_TABLE_SECTION]: trigrams.table,
    [VECTOR_SECTION]: vectors,
    [TRIGRAM_SECTION]: trigrams.data,
    [TEXT_SECTION]: text.data,
  });
  return {
    chunks: packed,
    finish: (trigrams) => ({
      bytes: encodeSections(packMeta, sections(trigrams)),
      chunkCount: packed.length,
      documents: documentsOf(packed),
    }),
  };
}

function pickMeta({ tenant_id, source_id, analyzer, embedder }: MetaOfPack): MetaOfPack {
  return {
    tenant_id,
    source_id,
    analyzer,
    embedder: { id: embedder.id, dimensions: embedder.dimensions },
  };
}

function checkAgreement(part: AnalyzedPart, meta: MetaOfPack): void {
  const { vectors } = part;
  if (part.analyzer !== meta.analyzer)
    throw new RangeError(`a part must be analyzed by ${meta.analyzer} (got ${part.analyzer})`);
  if (!vectors) throw new RangeError('a part has no vectors yet');
  if (vectors.embedderId !== meta.embedder.id || vectors.dimensions !== meta.embedder.dimensions) {
    throw new RangeError(
      `a part must be embedded by ${meta.embedder.id} (got ${vectors.embedderId})`,
    );
  }
}

function collectStrings(parts: readonly AnalyzedPart[]): Set<string> {
  const strings = new Set<string>();
  for (const part of parts) {
    for (const chunk of part.chunks) {
      strings.add(chunk.path).add(chunk.language);
      const { symbol, fragment, endpoint_key, schema_hash, before, after } = chunk;
      for (const text of [symbol, fragment, endpoint_key, schema_hash, before, after])
        if (text !== undefined) strings.add(text);
      for (const name of chunk.defs) strings.add(name);
      for (const placed of chunk.definitions ?? []) strings.add(placed.name).add(placed.symbol);
      for (const member of chunk.members ?? []) strings.add(member.name).add(member.parent);
    }
  }
  return strings;
}

function orderById(ids: Buffer, count: number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, at) => at);
  return order.sort((a, b) =>
    ids.compare(ids, b * ID_BYTES, (b + 1) * ID_BYTES, a * ID_BYTES, (a + 1) * ID_BYTES),
  );
}

function documentsOf(packed: readonly PackedChunk[]): BuiltPack['documents'] {
  const documents: { path: string; first: number; chunks: number }[] = [];
  packed.forEach(({ chunk }, at) => {
    const last = documents.at(-1);
    if (last?.path === chunk.path) last.chunks++;
    else documents.push({ path: chunk.path, first: at, chunks: 1 });
  });
  return documents;
}
