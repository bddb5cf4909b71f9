import { closeSync, openSync } from 'node:fs';

import { readFully } from './read-fully.js';
import { BadSectionsError } from './sections.js';
import { type BlockPlace, readBlock, TextBlockCache } from './text-blocks.js';

/**
 * The places of a document's text in pack files. They are small to post; the thread that gets them
 * reads the text itself.
 */
export interface StoredDocument {
  readonly files: readonly string[];
  /** Distinct texts between chunks. */
  readonly gaps: readonly string[];
  /** {@link COLUMNS} numbers of each chunk, in the order of the document. */
  readonly chunks: Float64Array;
}

/** A chunk whose text was read. */
export interface StoredPiece {
  readonly startLine: number | undefined;
  readonly content: string;
  /** White space before it, and after the last one; undefined if it was not recorded. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** A document whose text was read. */
export type ReadDocument = WholeDocument | { readonly pieces: readonly StoredPiece[] };

/** The text of a file with all that stands between its chunks. */
export interface WholeDocument {
  readonly text: string;
  /** The 0-based line that each chunk begins with. */
  readonly starts: readonly number[];
}

/** A chunk to place in a {@link StoredDocument}. */
export interface PlacedChunk extends Omit<StoredPiece, 'content'> {
  readonly file: string;
  readonly block: BlockPlace;
  /** Offset and length within the block, in bytes. */
  readonly offset: number;
  readonly length: number;
}

/** File, four of the block, offset, length, line, and two gaps. */
const COLUMNS = 10;
const NONE = -1;

/** Returns the places of a document's chunks, which are given in its order. */
export function storedDocument(chunks: readonly PlacedChunk[]): StoredDocument {
  const files = new Map<string, number>();
  const gaps = new Map<string, number>();
  const numbers = new Float64Array(chunks.length * COLUMNS);
  const gap = (text: string | undefined): number =>
    text === undefined ? NONE : numberOf(gaps, text);
  let at = 0;
  for (const { file, block, offset, length, startLine = NONE, before, after } of chunks) {
    numbers[at] = numberOf(files, file);
    numbers[at + 1] = block.at;
    numbers[at + 2] = block.packedLength;
    numbers[at + 3] = block.rawLength;
    numbers[at + 4] = block.crc;
    numbers[at + 5] = offset;
    numbers[at + 6] = length;
    numbers[at + 7] = startLine;
    numbers[at + 8] = gap(before);
    numbers[at + 9] = gap(after);
    at += COLUMNS;
  }
  return { files: [...files.keys()], gaps: [...gaps.keys()], chunks: numbers };
}

/** Returns the bytes of a document's text, without those between its chunks. */
export function storedBytes({ chunks }: StoredDocument): number {
  let sum = 0;
  for (let at = 6; at < chunks.length; at += COLUMNS) sum += chunks[at] as number;
  return sum;
}

/** Decompressed text that a reader keeps. */
const CACHE_BYTES = 6 * 1024 * 1024;

/**
 * Reads stored documents. Files are open only while {@link StoredDocumentReader.reading} runs, so
 * that a removed one gives its space back.
 */
export class StoredDocumentReader {
  private readonly cache = new TextBlockCache(CACHE_BYTES);
  private readonly open = new Map<string, number>();

  /** Runs work that reads documents. */
  reading<T>(work: () => T): T {
    try {
      return work();
    } finally {
      for (const fd of this.open.values()) closeSync(fd);
      this.open.clear();
    }
  }

  /**
   * Returns the text of a document: whole, or its chunks in order if the text between them was not
   * recorded.
   * @throws BadSectionsError if its text is damaged, or a file is missing.
   */
  read(document: StoredDocument): ReadDocument {
    return this.whole(document) ?? { pieces: this.pieces(document) };
  }

  private whole({ files, gaps, chunks }: StoredDocument): WholeDocument | undefined {
    const after = gaps[chunks.at(-1) ?? NONE];
    if (after === undefined) return undefined;
    const parts: Uint8Array[] = [];
    const starts: number[] = [];
    const encoded = gaps.map((gap) => Buffer.from(gap));
    for (let at = 0; at < chunks.length; at += COLUMNS) {
      const before = encoded[chunks[at + 8] as number];
      if (before === undefined) return undefined;
      parts.push(before, this.bytes(files, chunks, at));
      starts.push(Math.max(1, chunks[at + 7] as number) - 1);
    }
    // Decoded at once, since a text of many joined parts is slow to search.
    return { text: Buffer.concat(parts).toString() + after, starts };
  }

  private pieces({ files, gaps, chunks }: StoredDocument): readonly StoredPiece[] {
    const pieces: StoredPiece[] = [];
    for (let at = 0; at < chunks.length; at += COLUMNS) {
      const startLine = chunks[at + 7] as number;
      pieces.push({
        startLine: startLine === NONE ? undefined : startLine,
        content: this.bytes(files, chunks, at).toString(),
        before: gaps[chunks[at + 8] as number],
        after: gaps[chunks[at + 9] as number],
      });
    }
    return pieces;
  }

  /** Returns the text of a chunk whose numbers are at an index. */
  private bytes(files: readonly string[], chunks: Float64Array, at: number): Buffer {
    const block = {
      at: chunks[at + 1] as number,
      packedLength: chunks[at + 2] as number,
      rawLength: chunks[at + 3] as number,
      crc: chunks[at + 4] as number,
    };
    const raw = this.block(files[chunks[at] as number] as string, block);
    const offset = chunks[at + 5] as number;
    return raw.subarray(offset, offset + (chunks[at + 6] as number));
  }

  private block(file: string, place: BlockPlace): Buffer {
    // A file has the name of its bytes' hash, so a block never changes.
    const key = `${file} ${place.at}`;
    let raw = this.cache.get(key);
    if (!raw) {
      const fd = this.open.get(file) ?? this.opened(file);
      raw = readBlock(place, (at, length) => readFully(fd, Buffer.allocUnsafe(length), at));
      this.cache.set(key, raw);
    }
    return Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  }

  private opened(file: string): number {
    try {
      const fd = openSync(file, 'r');
      this.open.set(file, fd);
      return fd;
    } catch (cause) {
      throw Object.assign(new BadSectionsError('a pack file cannot be opened'), { cause });
    }
  }
}

function numberOf(known: Map<string, number>, text: string): number {
  const number = known.get(text) ?? known.size;
  known.set(text, number);
  return number;
}
