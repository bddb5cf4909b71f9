import { closeSync, openSync } from 'node:fs';

import { LRUCache } from 'lru-cache';

import { readFully } from './read-fully.js';
import { BadSectionsError } from './sections.js';
import { type BlockPlace, unpackBlocks } from './text-blocks.js';

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
  readonly text: string | Buffer;
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

/** A place that a document's numbers name. */
interface NamedBlock extends BlockPlace {
  readonly file: string;
}

/** Decompressed text that a reader keeps. */
const CACHE_BYTES = 6 * 1024 * 1024;
/** Text that is read and decompressed at once, if it is needed soon. */
const READ_BYTES = 128 * 1024;
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
  private readonly cache = new LRUCache<number, Buffer>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ length }) => Math.max(1, length),
  });
  /** Numbers of files, for short keys. A file has the name of its bytes' hash. */
  private readonly numbers = new LRUCache<string, number>({ max: 10_000 });
  private lastNumber = 0;
  private readonly open = new Map<string, number>();
  private memory = Buffer.alloc(0);

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
   * @param next documents that are read soon; blocks of theirs may be decompressed along.
   * @throws BadSectionsError if its text is damaged, or a file is missing.
   */
  read(document: StoredDocument, next: Iterable<StoredDocument> = []): ReadDocument {
    return this.whole(document, next) ?? { pieces: this.pieces(document, next) };
  }

  private whole(
    document: StoredDocument,
    next: Iterable<StoredDocument>,
  ): WholeDocument | undefined {
    const { gaps, chunks } = document;
    const after = gaps[chunks.at(-1) ?? NONE];
    if (after === undefined) return undefined;
    const parts: Uint8Array[] = [];
    const starts: number[] = [];
    const encoded = gaps.map((gap) => Buffer.from(gap));
    const text = this.texts(document, next);
    for (let at = 0; at < chunks.length; at += COLUMNS) {
      const before = encoded[chunks[at + 8] as number];
      if (before === undefined) return undefined;
      if (before.length > 0) parts.push(before);
      parts.push(text(at));
      starts.push(Math.max(1, chunks[at + 7] as number) - 1);
    }
    parts.push(Buffer.from(after));
    return { text: this.joined(parts), starts };
  }

  /** Joins the parts of a text in memory that the next text takes over. */
  private joined(parts: readonly Uint8Array[]): Buffer {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (length > this.memory.length || this.memory.length > KEPT_BYTES)
      this.memory = Buffer.allocUnsafe(Math.max(length, FIRST_BYTES));
    let at = 0;
    for (const part of parts) {
      this.memory.set(part, at);
      at += part.length;
    }
    return this.memory.subarray(0, length);
  }

  private pieces(document: StoredDocument, next: Iterable<StoredDocument>): readonly StoredPiece[] {
    const { gaps, chunks } = document;
    const pieces: StoredPiece[] = [];
    const text = this.texts(document, next);
    for (let at = 0; at < chunks.length; at += COLUMNS) {
      const startLine = chunks[at + 7] as number;
      pieces.push({
        startLine: startLine === NONE ? undefined : startLine,
        content: text(at).toString(),
        before: gaps[chunks[at + 8] as number],
        after: gaps[chunks[at + 9] as number],
      });
    }
    return pieces;
  }

  /** Returns a function that returns the text of a chunk whose numbers are at an index. */
  private texts(document: StoredDocument, next: Iterable<StoredDocument>): (at: number) => Buffer {
    const { files, chunks } = document;
    let raw: Buffer | undefined;
    let [file, block] = [NONE, NONE];
    return (at) => {
      // Most chunks are in the block of the chunk before.
      if (!raw || chunks[at] !== file || chunks[at + 1] !== block) {
        [file, block] = [chunks[at] as number, chunks[at + 1] as number];
        raw =
          this.cache.get(this.keyOf(files[file] as string, block)) ??
          this.readBlocks(document, at, next);
      }
      const offset = chunks[at + 5] as number;
      return raw.subarray(offset, offset + (chunks[at + 6] as number));
    };
  }

  /** Reads the block of a chunk, and those of the chunks after it that are not known. */
  private readBlocks(document: StoredDocument, at: number, next: Iterable<StoredDocument>): Buffer {
    const blocks = new Map<number, NamedBlock>();
    let bytes = 0;
    const collect = ({ files, chunks }: StoredDocument, from: number): boolean => {
      for (let index = from; index < chunks.length; index += COLUMNS) {
        const block = blockAt(files, chunks, index);
        const key = this.keyOf(block.file, block.at);
        if (blocks.has(key) || this.cache.has(key)) continue;
        if (bytes > 0 && bytes + block.rawLength > READ_BYTES) return false;
        blocks.set(key, block);
        bytes += block.rawLength;
      }
      return true;
    };
    if (collect(document, at)) for (const each of next) if (!collect(each, 0)) break;
    const texts = readBlocks(
      [...blocks.values()],
      (file) => this.open.get(file) ?? this.opened(file),
    );
    for (const [index, key] of [...blocks.keys()].entries()) this.cache.set(key, texts[index]);
    return texts[0] as Buffer;
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

function blockAt(files: readonly string[], chunks: Float64Array, at: number): NamedBlock {
  return {
    file: files[chunks[at] as number] as string,
    at: chunks[at + 1] as number,
    packedLength: chunks[at + 2] as number,
    rawLength: chunks[at + 3] as number,
    crc: chunks[at + 4] as number,
  };
}

/** Reads blocks; those that follow each other in a file are read at once. */
function readBlocks(
  places: readonly NamedBlock[],
  fileOf: (file: string) => number,
): readonly Buffer[] {
  const packed: Buffer[] = [];
  for (let from = 0, to = 0; from < places.length; from = to) {
    const first = places[from] as NamedBlock;
    let end = first.at;
    for (; places[to]?.file === first.file && places[to]?.at === end; to += 1)
      end += (places[to] as NamedBlock).packedLength;
    const bytes = readFully(fileOf(first.file), Buffer.allocUnsafe(end - first.at), first.at);
    for (const { at, packedLength } of places.slice(from, to))
      packed.push(bytes.subarray(at - first.at, at - first.at + packedLength));
  }
  return unpackBlocks(places, packed);
}

function numberOf(known: Map<string, number>, text: string): number {
  const number = known.get(text) ?? known.size;
  known.set(text, number);
  return number;
}
