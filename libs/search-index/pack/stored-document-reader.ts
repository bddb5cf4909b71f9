import { closeSync, openSync } from 'node:fs';

import { LRUCache } from 'lru-cache';

import { BlockReader } from './block-reader.js';
import { readFully } from './read-fully.js';
import { BadSectionsError } from './sections.js';
import { RUN_COLUMNS, type StoredDocument } from './stored-document.js';
import { type StoredPack, StoredPackTexts } from './stored-pack.js';

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

/** Neighboring chunks of a pack, as a half-open range. */
interface TextRun {
  readonly texts: StoredPackTexts;
  readonly first: number;
  readonly end: number;
}

/** Decompressed text that a reader keeps. */
const CACHE_BYTES = 4 * 1024 * 1024;
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
  private readonly blocks = new BlockReader(CACHE_BYTES);
  /** Numbers of files, for short keys. A file has the name of its bytes' hash. */
  private readonly numbers = new LRUCache<string, number>({ max: 10_000 });
  private lastNumber = 0;
  private readonly open = new Map<string, number>();
  private readonly packs = new WeakMap<StoredPack, StoredPackTexts>();
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
   * @throws BadSectionsError if its text is damaged, or a file is missing.
   */
  read(document: StoredDocument): ReadDocument {
    const runs = this.runsOf(document);
    return this.whole(runs) ?? { pieces: this.pieces(runs) };
  }

  private runsOf({ packs, runs }: StoredDocument): readonly TextRun[] {
    const found: TextRun[] = [];
    for (let at = 0; at < runs.length; at += RUN_COLUMNS) {
      const texts = this.textsOf(packs[runs[at] as number] as StoredPack);
      found.push({ texts, first: runs[at + 1] as number, end: runs[at + 2] as number });
    }
    return found;
  }

  private textsOf(pack: StoredPack): StoredPackTexts {
    let texts = this.packs.get(pack);
    if (!texts) this.packs.set(pack, (texts = new StoredPackTexts(pack)));
    return texts;
  }

  private whole(runs: readonly TextRun[]): WholeDocument | undefined {
    const last = runs.at(-1);
    const after = last?.texts.after(last.end - 1);
    const length = after && wholeLength(runs, after.length);
    if (length === undefined) return undefined;
    const memory = this.room(length);
    const starts: number[] = [];
    const blockOf = this.lastBlock();
    let end = 0;
    for (const { texts, first, end: until } of runs)
      for (let chunk = first; chunk < until; chunk += 1) {
        end += (texts.before(chunk) as Buffer).copy(memory, end);
        const offset = texts.offset(chunk);
        end += blockOf(texts, chunk).copy(memory, end, offset, offset + texts.length(chunk));
        starts.push((texts.startLine(chunk) ?? 1) - 1);
      }
    end += after?.copy(memory, end) ?? 0;
    if (end !== length) throw new BadSectionsError('a text is not within its block');
    return { text: memory.subarray(0, length), starts };
  }

  /** Returns memory for a text, which the next text takes over. */
  private room(length: number): Buffer {
    if (length > this.memory.length || this.memory.length > KEPT_BYTES)
      this.memory = Buffer.allocUnsafe(Math.max(length, FIRST_BYTES));
    return this.memory;
  }

  private pieces(runs: readonly TextRun[]): readonly StoredPiece[] {
    const pieces: StoredPiece[] = [];
    const blockOf = this.lastBlock();
    for (const { texts, first, end } of runs)
      for (let chunk = first; chunk < end; chunk += 1) {
        const offset = texts.offset(chunk);
        const block = blockOf(texts, chunk);
        pieces.push({
          startLine: texts.startLine(chunk),
          content: block.toString('utf8', offset, offset + texts.length(chunk)),
          before: texts.before(chunk)?.toString(),
          after: texts.after(chunk)?.toString(),
        });
      }
    return pieces;
  }

  /** Returns a function that returns the block of a chunk. */
  private lastBlock(): (texts: StoredPackTexts, chunk: number) => Buffer {
    let raw: Buffer | undefined;
    let of: StoredPackTexts | undefined;
    let number = -1;
    return (texts, chunk) => {
      const block = texts.block(chunk);
      // Most chunks are in the block of the chunk before.
      if (!raw || texts !== of || block !== number) {
        [of, number] = [texts, block];
        raw = this.block(texts, block);
      }
      return raw;
    };
  }

  private block(texts: StoredPackTexts, number: number): Buffer {
    const place = texts.place(number);
    const key = this.keyOf(texts.file, place.at);
    const known = this.blocks.kept(key);
    if (known) return known;
    const fd = this.open.get(texts.file) ?? this.opened(texts.file);
    return this.blocks.read(key, place, (target, at) => void readFully(fd, target, at));
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

/** Returns the bytes of a whole text; undefined if what is before a chunk was not recorded. */
function wholeLength(runs: readonly TextRun[], after: number): number | undefined {
  let length = after;
  for (const { texts, first, end } of runs)
    for (let chunk = first; chunk < end; chunk += 1) {
      const before = texts.before(chunk);
      if (!before) return undefined;
      length += before.length + texts.length(chunk);
    }
  return length;
}
