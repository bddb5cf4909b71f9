import {
  CHUNK_TYPES,
  type ChunkDefinition,
  type ChunkMember,
  type ChunkType,
} from '#contracts/content/chunk';

import type { DefinitionSpan } from '../definition-span.js';
import { type ChunkGap, gapNumbers, gapOf, type PackedGaps } from './chunk-gaps.js';
import { PLACE_SECTIONS, placeOf } from './definition-places.js';
import type { PlacedDefinitions } from './invert-chunks.js';
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
  TRIGRAM_TABLE_SECTION,
  uuidBytes,
  uuidText,
} from './pack-layout.js';
import {
  chunksWithMember,
  membersAt,
  membersByName,
  membersOfPack,
  type NamedMembers,
  type PackedMembers,
} from './pack-members.js';
import { asFloat32, asUint32 } from './sections.js';
import { indexIn, type StringTable, stringTable } from './sorted-tables.js';
import type { TextSpan } from './text-blocks.js';

/**
 * Decoded paths of a pack, which searches find again and again. The cache has room for the files of
 * a large repository: a path that is decoded again is also hashed and compared again.
 */
const MAX_CACHED_PATHS = 20_000;
const MAX_CACHED_GAPS = 100;
const NO_GAP: ChunkGap = {};

/**
 * The tables of a pack, read in place; without vectors and text. Chunks are numbered in pack order,
 * from 0.
 */
export class PackTables {
  readonly terms: StringTable;
  readonly strings: StringTable;
  readonly postingOffsets: Uint32Array;
  readonly postingChunks: Uint32Array;
  readonly postingFrequencies: Uint8Array;
  readonly lengths: Uint32Array;
  readonly scales: Float32Array;
  readonly textTable: Uint32Array;
  /** Null in a pack of a version that did not record trigrams. */
  readonly trigramTable: Uint32Array | null;
  /** The decoded languages, of which there are few. */
  private readonly languages = new Map<number, string>();
  /** Decoded paths, at most {@link MAX_CACHED_PATHS}. */
  private readonly paths = new Map<number, string>();
  private readonly table: Uint32Array;
  private readonly ids: Buffer;
  private readonly idOrder: Uint32Array;
  private readonly hashes: Buffer;
  private readonly defOffsets: Uint32Array;
  private readonly defNames: Uint32Array;
  private readonly definedNames: Uint32Array;
  private readonly definedOffsets: Uint32Array;
  private readonly definedChunks: Uint32Array;
  private readonly fragments: Uint32Array | undefined;
  /** Null in a pack of a version that did not record the text between chunks. */
  private readonly gaps: PackedGaps | null;
  /** Gaps that were read lately, by number. */
  private readonly gapTexts = new Map<number, ChunkGap>();
  /** Null in a pack of a version that did not record lines of definitions. */
  private readonly placed: PlacedDefinitions | null;
  /** Null in a pack without members. */
  private readonly packedMembers: PackedMembers | null;

  constructor(
    readonly meta: PackMeta,
    section: (name: string) => Uint8Array,
    has: (name: string) => boolean,
  ) {
    const buffer = (name: string): Buffer => {
      const bytes = section(name);
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    };
    this.terms = stringTable(asUint32(section('term_offsets')), section('terms'));
    this.strings = stringTable(asUint32(section('string_offsets')), section('strings'));
    this.postingOffsets = asUint32(section('posting_offsets'));
    this.postingChunks = asUint32(section('posting_chunks'));
    this.postingFrequencies = section('posting_frequencies');
    this.lengths = asUint32(section('lengths'));
    this.scales = asFloat32(section('scales'));
    this.textTable = asUint32(section('text_table'));
    this.trigramTable = has(TRIGRAM_TABLE_SECTION)
      ? asUint32(section(TRIGRAM_TABLE_SECTION))
      : null;
    this.table = asUint32(section('chunk_table'));
    this.ids = buffer('chunk_ids');
    this.idOrder = asUint32(section('id_order'));
    this.hashes = buffer('content_hashes');
    this.defOffsets = asUint32(section('def_offsets'));
    this.defNames = asUint32(section('def_names'));
    this.definedNames = asUint32(section('defined_names'));
    this.definedOffsets = asUint32(section('defined_offsets'));
    this.definedChunks = asUint32(section('defined_chunks'));
    this.fragments = meta.fragments ? asUint32(section(FRAGMENT_SECTION)) : undefined;
    this.gaps = has(GAP_SECTION)
      ? {
          pairs: asUint32(section(GAP_PAIR_SECTION)),
          chunks: gapNumbers(section(GAP_SECTION), meta.chunks),
        }
      : null;
    this.placed = has('definition_offsets')
      ? {
          offsets: asUint32(section('definition_offsets')),
          names: asUint32(section('definition_names')),
          symbols: asUint32(section('definition_symbols')),
          startLines: asUint32(section('definition_starts')),
          endLines: asUint32(section('definition_ends')),
          places: has(PLACE_SECTIONS.kinds)
            ? {
                kinds: section(PLACE_SECTIONS.kinds),
                lines: asUint32(section(PLACE_SECTIONS.lines)),
                columns: asUint32(section(PLACE_SECTIONS.columns)),
                lastLines: asUint32(section(PLACE_SECTIONS.lastLines)),
              }
            : null,
        }
      : null;
    this.packedMembers = membersOfPack(section, has);
  }

  get chunkCount(): number {
    return this.meta.chunks;
  }

  chunkId(chunk: number): string {
    return uuidText(this.ids, chunk * ID_BYTES);
  }

  /** Returns the first four bytes of a chunk's id as a number, in the order of ids. */
  idPrefix(chunk: number): number {
    return this.ids.readUInt32BE(chunk * ID_BYTES);
  }

  /** Orders chunks, also of different packs, as their ids would sort. */
  compareIds(chunk: number, other: PackTables, otherChunk: number): number {
    let at = chunk * ID_BYTES;
    let otherAt = otherChunk * ID_BYTES;
    for (const end = at + ID_BYTES; at < end; at++, otherAt++) {
      const difference = (this.ids[at] as number) - (other.ids[otherAt] as number);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  /** @returns the chunk's number, or -1. */
  findChunk(chunkId: string): number {
    const wanted = uuidBytes(chunkId);
    if (!wanted) return -1;
    const { ids, idOrder } = this;
    let low = 0;
    let high = idOrder.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const chunk = idOrder[middle] as number;
      const first = chunk * ID_BYTES;
      let at = 0;
      while (at < ID_BYTES && ids[first + at] === wanted[at]) at += 1;
      if (at === ID_BYTES) return chunk;
      if ((ids[first + at] as number) < (wanted[at] as number)) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  contentHash(chunk: number): string {
    return this.hashes.toString('hex', chunk * HASH_BYTES, (chunk + 1) * HASH_BYTES);
  }

  /** Returns the first 31 bits of the content hash: a number that needs no allocation. */
  contentNumber(chunk: number): number {
    const at = chunk * HASH_BYTES;
    const { hashes } = this;
    return (
      ((hashes[at] as number) << 23) |
      ((hashes[at + 1] as number) << 15) |
      ((hashes[at + 2] as number) << 7) |
      ((hashes[at + 3] as number) >> 1)
    );
  }

  pathId(chunk: number): number {
    return this.column(chunk, Column.path);
  }

  path(chunk: number): string {
    return this.strings.at(this.pathId(chunk));
  }

  /** Returns the path of a chunk; paths that were read lately are not decoded again. */
  cachedPath(chunk: number): string {
    const id = this.pathId(chunk);
    let path = this.paths.get(id);
    if (path !== undefined) return path;
    if (this.paths.size >= MAX_CACHED_PATHS) this.paths.clear();
    this.paths.set(id, (path = this.strings.at(id)));
    return path;
  }

  /** Reports whether two chunks have the same path and language, without reading them. */
  isSameFile(chunk: number, other: number): boolean {
    return (
      this.pathId(chunk) === this.pathId(other) &&
      this.column(chunk, Column.language) === this.column(other, Column.language)
    );
  }

  ordinal(chunk: number): number {
    return this.column(chunk, Column.ordinal);
  }

  startLine(chunk: number): number | undefined {
    return this.column(chunk, Column.startLine) || undefined;
  }

  endLine(chunk: number): number | undefined {
    return this.column(chunk, Column.endLine) || undefined;
  }

  tokenCount(chunk: number): number {
    return this.column(chunk, Column.tokenCount);
  }

  symbol(chunk: number): string | undefined {
    return this.optional(chunk, Column.symbol);
  }

  fragment(chunk: number): string | undefined {
    const id = this.fragments?.[chunk] ?? NO_STRING;
    return id === NO_STRING ? undefined : this.strings.at(id);
  }

  language(chunk: number): string {
    const id = this.column(chunk, Column.language);
    let language = this.languages.get(id);
    if (language === undefined) this.languages.set(id, (language = this.strings.at(id)));
    return language;
  }

  chunkType(chunk: number): ChunkType {
    return CHUNK_TYPES[this.column(chunk, Column.chunkType)] as ChunkType;
  }

  endpointKey(chunk: number): string | undefined {
    return this.optional(chunk, Column.endpointKey);
  }

  schemaHash(chunk: number): string | undefined {
    return this.optional(chunk, Column.schemaHash);
  }

  defs(chunk: number): string[] {
    const ids = this.defNames.subarray(this.defOffsets[chunk], this.defOffsets[chunk + 1]);
    return Array.from(ids, (id) => this.strings.at(id));
  }

  /**
   * Returns the lines of the chunk's definitions, in file order; empty if they were not recorded.
   */
  definitions(chunk: number): ChunkDefinition[] {
    if (!this.placed) return [];
    const { offsets, names, symbols, startLines, endLines, places } = this.placed;
    const first = offsets[chunk] as number;
    return Array.from({ length: (offsets[chunk + 1] as number) - first }, (_, i) => {
      const place = places && placeOf(places, first + i);
      const [nameId, symbolId] = [names[first + i] as number, symbols[first + i] as number];
      const name = this.strings.at(nameId);
      return {
        name,
        symbol: symbolId === nameId ? name : this.strings.at(symbolId),
        start_line: startLines[first + i] as number,
        end_line: endLines[first + i] as number,
        ...(place && { place }),
      };
    });
  }

  /** Returns the lines of the chunk's definitions; symbols are decoded when they are asked for. */
  definitionSpans(chunk: number): DefinitionSpan[] {
    if (!this.placed) return [];
    const { strings } = this;
    const { offsets, symbols, startLines, endLines, places } = this.placed;
    const spans: DefinitionSpan[] = [];
    for (let at = offsets[chunk] as number; at < (offsets[chunk + 1] as number); at += 1) {
      spans.push({
        first: startLines[at] as number,
        last: Math.max(endLines[at] as number, places?.lastLines[at] ?? 0),
        get symbol() {
          return strings.at(symbols[at] as number);
        },
      });
    }
    return spans;
  }

  /** Returns the members in a chunk, in file order. */
  members(chunk: number): ChunkMember[] {
    if (!this.packedMembers) return [];
    return membersAt(this.packedMembers, chunk, (id) => this.strings.at(id));
  }

  /** Returns the chunks with a member of a name, ascending; case-sensitive. */
  chunksWithMember(name: string): Iterable<number> {
    const id = this.packedMembers ? this.strings.find(name) : -1;
    return this.packedMembers && id !== -1 ? chunksWithMember(this.packedMembers, id) : [];
  }

  /** Returns each name of a member as a string id, with the chunks of its members. */
  membersByName(): Iterable<NamedMembers> {
    return this.packedMembers ? membersByName(this.packedMembers) : [];
  }

  /** Returns the text around a chunk; nothing in packs that did not record it. */
  gap(chunk: number): ChunkGap {
    const number = this.gaps?.chunks[chunk];
    if (!this.gaps || number === undefined) return NO_GAP;
    let gap = this.gapTexts.get(number);
    if (gap) return gap;
    if (this.gapTexts.size >= MAX_CACHED_GAPS) this.gapTexts.clear();
    gap = gapOf(this.gaps, chunk, (id) => this.strings.at(id));
    this.gapTexts.set(number, gap);
    return gap;
  }

  textSpan(chunk: number): TextSpan {
    return [
      this.column(chunk, Column.textBlock),
      this.column(chunk, Column.textOffset),
      this.column(chunk, Column.textLength),
    ];
  }

  /** Returns the bytes of the text of a chunk. */
  textLength(chunk: number): number {
    return this.column(chunk, Column.textLength);
  }

  /** Returns chunks that define a name, ascending; case-sensitive. */
  definers(name: string): Uint32Array {
    const at = indexIn(this.definedNames, this.strings.find(name));
    return at === -1 ? new Uint32Array() : this.definersAt(at);
  }

  /** Number of distinct names that chunks define. */
  get definedCount(): number {
    return this.definedNames.length;
  }

  /** Returns the string id of a defined name; the ids ascend. */
  definedNameId(at: number): number {
    return this.definedNames[at] as number;
  }

  /** Returns a defined name; names ascend by their UTF-8 bytes. */
  definedName(at: number): string {
    return this.strings.at(this.definedNames[at] as number);
  }

  /** Returns chunks that define the name at an index, ascending. */
  definersAt(at: number): Uint32Array {
    return this.definedChunks.subarray(this.definedOffsets[at], this.definedOffsets[at + 1]);
  }

  /** Returns the chunks of one path as a range; empty if the pack has none. */
  document(path: string): { readonly first: number; readonly end: number } {
    const id = this.strings.find(path);
    if (id === -1) return { first: 0, end: 0 };
    const first = this.firstOfPath(id);
    return { first, end: this.firstOfPath(id + 1) };
  }

  /** Returns the first chunk whose path is not before a path, by UTF-8 bytes. */
  firstFrom(path: string): number {
    return this.firstOfPath(this.strings.from(Buffer.from(path)));
  }

  /** Counts the documents before a chunk or in all, also those whose chunks are all dropped. */
  countDocuments(end = this.chunkCount): number {
    let count = 0;
    for (let chunk = 0; chunk < end; chunk++)
      if (chunk === 0 || this.pathId(chunk) !== this.pathId(chunk - 1)) count += 1;
    return count;
  }

  private firstOfPath(pathId: number): number {
    let low = 0;
    let high = this.chunkCount;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.pathId(middle) < pathId) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private column(chunk: number, column: number): number {
    return this.table[chunk * COLUMNS + column] as number;
  }

  private optional(chunk: number, column: number): string | undefined {
    const id = this.column(chunk, column);
    return id === NO_STRING ? undefined : this.strings.at(id);
  }
}
