import { closeSync, openSync } from 'node:fs';

import { LRUCache } from 'lru-cache';

import { BlockDecoder } from './block-decoder.js';
import { BlockMemory } from './block-memory.js';
import { readFully } from './read-fully.js';
import { BadSectionsError } from './sections.js';
import type { BlockPlace } from './text-blocks.js';

/**
 * The places of a document's text in pack files. They are small to post; the thread that gets them
 * reads the text itself.
 */
export interface StoredDocument {
  readonly files: readonly string[];
  /** Distinct texts between chunks. */
  readonly gaps: readonly string[];
  /** Numbers of each chunk, in the order of the document. */
  readonly chunks: ArrayLike<number>;
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
  readonly text: string | Buffer;
  /** The 0-based line that each chunk begins with. */
  readonly starts: readonly number[];
}

/** File, four of the block, offset, length, line, and two gaps. */
const COLUMNS = 10;
const [OFFSET, LENGTH, START_LINE, BEFORE, AFTER] = [5, 6, 7, 8, 9] as const;
const NONE = -1;

/** Collects the places of a document's chunks, in its order. */
export class StoredDocumentBuilder {
  private readonly files: string[] = [];
  private readonly gaps: string[] = [];
  private readonly chunks: number[] = [];

  file(name: string): number {
    return numberIn(this.files, name);
  }

  /** Returns the number of a text between chunks. @param text undefined if it is not recorded. */
  gap(text: string | undefined): number {
    return text === undefined ? NONE : numberIn(this.gaps, text);
  }

  /**
   * Adds a chunk.
   * @param file and gaps as numbers; offset and length in bytes within the block.
   */
  add(
    file: number,
    { at, packedLength, rawLength, crc }: BlockPlace,
    offset: number,
    length: number,
    startLine = NONE,
    before = NONE,
    after = NONE,
  ): void {
    this.chunks.push(file, at, packedLength, rawLength, crc);
    this.chunks.push(offset, length, startLine, before, after);
  }

  document(): StoredDocument {
    const { files, gaps, chunks } = this;
    return { files, gaps, chunks };
  }
}

/** Returns the bytes of a document's text, without those between its chunks. */
export function storedBytes({ chunks }: StoredDocument): number {
  let sum = 0;
  for (let at = LENGTH; at < chunks.length; at += COLUMNS) sum += chunks[at] as number;
  return sum;
}

/** Decompressed text that a reader keeps. */
const CACHE_BYTES = 2 * 1024 * 1024;
/** Memory for a compressed block that is kept for the next one. */
const PACKED_BYTES = 64 * 1024;
/** Memory for a text that is kept for the next one, and its size at first. */
const KEPT_BYTES = 4 * 1024 * 1024;
const FIRST_BYTES = 64 * 1024;
/** More than any offset in a pack. */
const FILE_BYTES = 2 ** 40;

/**
 * Reads stored documents. Files are open only while {@link StoredDocumentReader.reading} runs, so
 * that a removed one gives its space back.
 */
export class StoredDocumentReader {
  private readonly blocks = new BlockMemory(CACHE_BYTES);
  private readonly decoder = new BlockDecoder();
  private readonly packed = Buffer.allocUnsafeSlow(PACKED_BYTES);
  /** Numbers of files, for short keys. A file has the name of its bytes' hash. */
  private readonly numbers = new LRUCache<string, number>({ max: 10_000 });
  private lastNumber = 0;
  private readonly open = new Map<string, number>();
  private memory = Buffer.alloc(0);
  private gaps: { readonly of: readonly string[]; readonly bytes: readonly Buffer[] } = {
    of: [],
    bytes: [],
  };

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
   * recorded. The bytes of a whole text are valid until the next one is read.
   * @throws BadSectionsError if its text is damaged, or a file is missing.
   */
  read(document: StoredDocument): ReadDocument {
    return this.whole(document) ?? { pieces: this.pieces(document) };
  }

  private whole(document: StoredDocument): WholeDocument | undefined {
    const { gaps, chunks } = document;
    const encoded = this.encoded(gaps);
    const after = encoded[chunks[chunks.length - 1] ?? NONE];
    if (after === undefined) return undefined;
    let length = after.length;
    for (let at = 0; at < chunks.length; at += COLUMNS) {
      const before = encoded[chunks[at + BEFORE] as number];
      if (before === undefined) return undefined;
      length += before.length + (chunks[at + LENGTH] as number);
    }
    const memory = this.room(length);
    const starts: number[] = [];
    const blockOf = this.blocksOf(document);
    let end = 0;
    for (let at = 0; at < chunks.length; at += COLUMNS) {
      end += (encoded[chunks[at + BEFORE] as number] as Buffer).copy(memory, end);
      const offset = chunks[at + OFFSET] as number;
      end += blockOf(at).copy(memory, end, offset, offset + (chunks[at + LENGTH] as number));
      starts.push(Math.max(1, chunks[at + START_LINE] as number) - 1);
    }
    end += after.copy(memory, end);
    if (end !== length) throw new BadSectionsError('a text is not within its block');
    return { text: memory.subarray(0, length), starts };
  }

  /** Returns the bytes of gaps, which the documents of a batch share. */
  private encoded(gaps: readonly string[]): readonly Buffer[] {
    if (this.gaps.of !== gaps) this.gaps = { of: gaps, bytes: gaps.map((gap) => Buffer.from(gap)) };
    return this.gaps.bytes;
  }

  /** Returns memory for a text, which the next text takes over. */
  private room(length: number): Buffer {
    if (length > this.memory.length || this.memory.length > KEPT_BYTES)
      this.memory = Buffer.allocUnsafe(Math.max(length, FIRST_BYTES));
    return this.memory;
  }

  private pieces(document: StoredDocument): readonly StoredPiece[] {
    const { gaps, chunks } = document;
    const pieces: StoredPiece[] = [];
    const blockOf = this.blocksOf(document);
    for (let at = 0; at < chunks.length; at += COLUMNS) {
      const startLine = chunks[at + START_LINE] as number;
      const offset = chunks[at + OFFSET] as number;
      pieces.push({
        startLine: startLine === NONE ? undefined : startLine,
        content: blockOf(at).toString('utf8', offset, offset + (chunks[at + LENGTH] as number)),
        before: gaps[chunks[at + BEFORE] as number],
        after: gaps[chunks[at + AFTER] as number],
      });
    }
    return pieces;
  }

  /** Returns a function that returns the block of a chunk whose numbers are at an index. */
  private blocksOf({ files, chunks }: StoredDocument): (at: number) => Buffer {
    let raw: Buffer | undefined;
    let [file, block] = [NONE, NONE];
    return (at) => {
      // Most chunks are in the block of the chunk before.
      if (!raw || chunks[at] !== file || chunks[at + 1] !== block) {
        [file, block] = [chunks[at] as number, chunks[at + 1] as number];
        raw = this.block(files[file] as string, chunks, at);
      }
      return raw;
    };
  }

  /** Returns the block of a chunk whose numbers are at an index. */
  private block(file: string, chunks: ArrayLike<number>, at: number): Buffer {
    const [place, packedLength, rawLength, crc] = [1, 2, 3, 4].map(
      (column) => chunks[at + column] as number,
    ) as [number, number, number, number];
    const key = this.keyOf(file, place);
    const known = this.blocks.get(key);
    if (known) return known;
    const fd = this.open.get(file) ?? this.opened(file);
    const isLong = packedLength > PACKED_BYTES;
    const memory = isLong ? Buffer.allocUnsafe(packedLength) : this.packed;
    const packed = readFully(fd, memory.subarray(0, packedLength), place);
    return this.blocks.add(key, rawLength, (target, offset) =>
      this.decoder.decode(packed, { rawLength, crc }, target, offset),
    );
  }

  private keyOf(file: string, at: number): number {
    let number = this.numbers.get(file);
    if (number === undefined) this.numbers.set(file, (number = this.lastNumber += 1));
    return number * FILE_BYTES + at;
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

function numberIn(known: string[], text: string): number {
  const at = known.indexOf(text);
  return at === -1 ? known.push(text) - 1 : at;
}

/** Places of several documents that share their names and numbers. */
export interface StoredDocuments extends StoredDocument {
  readonly chunks: Float64Array;
  /** Ends of the documents in the numbers. */
  readonly ends: Uint32Array;
}

/** Joins documents, which are posted in a fraction of the time that each alone takes. */
export function joinStored(documents: readonly StoredDocument[]): StoredDocuments {
  const names = new StoredDocumentBuilder();
  const chunks = new Float64Array(documents.reduce((sum, each) => sum + each.chunks.length, 0));
  const ends = new Uint32Array(documents.length);
  let end = 0;
  for (const [index, document] of documents.entries()) {
    const files = document.files.map((file) => names.file(file));
    const gaps = document.gaps.map((gap) => names.gap(gap));
    for (let at = 0; at < document.chunks.length; at += COLUMNS) {
      chunks[end] = files[document.chunks[at] as number] as number;
      for (let column = 1; column < BEFORE; column += 1)
        chunks[end + column] = document.chunks[at + column] as number;
      chunks[end + BEFORE] = gaps[document.chunks[at + BEFORE] as number] ?? NONE;
      chunks[end + AFTER] = gaps[document.chunks[at + AFTER] as number] ?? NONE;
      end += COLUMNS;
    }
    ends[index] = end;
  }
  const { files, gaps } = names.document();
  return { files, gaps, chunks, ends };
}

/** Returns the documents that {@link joinStored} joined. */
export function splitStored({ files, gaps, chunks, ends }: StoredDocuments): StoredDocument[] {
  return Array.from(ends, (end, index) => {
    return { files, gaps, chunks: chunks.subarray(ends[index - 1] ?? 0, end) };
  });
}
