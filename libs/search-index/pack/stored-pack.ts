import { gapNumbers, type PackedGaps } from './chunk-gaps.js';
import { Column, COLUMNS, GAP_PAIR_SECTION, GAP_SECTION, NO_STRING } from './pack-layout.js';
import { type BlockPlace, blockPlace } from './text-blocks.js';

/** The sections that locate texts; those of gaps are missing in packs that recorded none. */
const SECTIONS = [
  'chunk_table',
  'text_table',
  'string_offsets',
  'strings',
  GAP_PAIR_SECTION,
  GAP_SECTION,
] as const;

/** A pack from which other threads read texts. It is small to post: its tables are shared. */
export interface StoredPack {
  readonly file: string;
  /** Offset of the texts in the file. */
  readonly textAt: number;
  readonly tables: Uint8Array<SharedArrayBuffer>;
  /** Begin and end of each of the sections in the tables; equal for a missing one. */
  readonly bounds: readonly number[];
}

/** Returns a pack of checked tables. @param bounds name → begin and end of each section. */
export function storedPack(
  { file, textAt, tables }: Omit<StoredPack, 'bounds'>,
  bounds: Readonly<Record<string, readonly [from: number, to: number]>>,
): StoredPack {
  return { file, textAt, tables, bounds: SECTIONS.flatMap((name) => bounds[name] ?? [0, 0]) };
}

/** Locates the texts of a pack, and what stands between them. Chunks are numbered in pack order. */
export class StoredPackTexts {
  readonly file: string;
  private readonly textAt: number;
  private readonly chunks: Uint32Array;
  private readonly blocks: Uint32Array;
  private readonly stringOffsets: Uint32Array;
  private readonly strings: Buffer;
  private readonly gapPairs: Uint32Array;
  private readonly gaps: PackedGaps['chunks'];
  /** Texts between chunks by string id; there are few. */
  private readonly gapTexts = new Map<number, Buffer>();

  constructor({ file, textAt, tables, bounds }: StoredPack) {
    const bytes = (name: (typeof SECTIONS)[number]): Uint8Array<SharedArrayBuffer> => {
      const at = SECTIONS.indexOf(name) * 2;
      return tables.subarray(bounds[at], bounds[at + 1]);
    };
    // Sections are aligned.
    const words = (name: (typeof SECTIONS)[number]): Uint32Array => {
      const { buffer, byteOffset, byteLength } = bytes(name);
      return new Uint32Array(buffer, byteOffset, byteLength >>> 2);
    };
    const { buffer, byteOffset, byteLength } = bytes('strings');
    this.file = file;
    this.textAt = textAt;
    this.chunks = words('chunk_table');
    this.blocks = words('text_table');
    this.stringOffsets = words('string_offsets');
    this.strings = Buffer.from(buffer, byteOffset, byteLength);
    this.gapPairs = words(GAP_PAIR_SECTION);
    this.gaps = gapNumbers(bytes(GAP_SECTION), this.chunks.length / COLUMNS);
  }

  /** Returns the number of the block with the text of a chunk. */
  block(chunk: number): number {
    return this.column(chunk, Column.textBlock);
  }

  /** Returns where a text begins in its block. */
  offset(chunk: number): number {
    return this.column(chunk, Column.textOffset);
  }

  /** Returns the bytes of a text. */
  length(chunk: number): number {
    return this.column(chunk, Column.textLength);
  }

  startLine(chunk: number): number | undefined {
    return this.column(chunk, Column.startLine) || undefined;
  }

  /** Returns where a block lies in the file. @throws BadSectionsError if there is none. */
  place(block: number): BlockPlace {
    const place = blockPlace(this.blocks, block);
    return { ...place, at: this.textAt + place.at };
  }

  /** Returns the white space before a chunk; undefined if it was not recorded. */
  before(chunk: number): Buffer | undefined {
    return this.gap((this.gaps[chunk] ?? 0) * 2);
  }

  /** Returns the white space after the last chunk of a file; undefined if it was not recorded. */
  after(chunk: number): Buffer | undefined {
    return this.gap((this.gaps[chunk] ?? 0) * 2 + 1);
  }

  private gap(at: number): Buffer | undefined {
    const id = this.gapPairs[at] ?? NO_STRING;
    if (id === NO_STRING) return undefined;
    let text = this.gapTexts.get(id);
    if (!text) {
      text = this.strings.subarray(this.stringOffsets[id], this.stringOffsets[id + 1]);
      this.gapTexts.set(id, text);
    }
    return text;
  }

  private column(chunk: number, column: number): number {
    return this.chunks[chunk * COLUMNS + column] as number;
  }
}
