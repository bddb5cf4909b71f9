import { ScipError } from './scip-error.js';
import { SCIP_LIMITS } from './scip-limits.js';
import { truncated, WIRE, WireReader } from './wire-reader.js';

/** Bytes that can be read in any order. */
export interface ByteFile {
  readonly size: number;
  /** Returns bytes from an offset; fewer than `length` only at the end. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** Fields of the message `Index`. */
const INDEX = { metadata: 1, documents: 2 } as const;
/** Bytes of the longest tag with the longest length. */
const HEAD_BYTES = 20;
/** Bytes that one read fetches, so that small documents need few reads. */
const WINDOW_BYTES = 1024 * 1024;

/**
 * Returns the documents of an index as bytes, one after the other.
 * @throws ScipError for bytes that are no index, are truncated or exceed a limit.
 */
export async function* scipDocuments(file: ByteFile): AsyncGenerator<Uint8Array> {
  const window = new FileWindow(file);
  let documents = 0;
  for (let at = 0; at < file.size;) {
    const head = new WireReader(await window.bytes(at, Math.min(HEAD_BYTES, file.size - at)));
    const tag = head.number();
    const [field, kind] = [tag >>> 3, tag & 7];
    if (at === 0 && (field !== INDEX.metadata || kind !== WIRE.bytes))
      throw new ScipError('is not a SCIP index: it must start with its metadata');
    if (kind !== WIRE.bytes) {
      head.skip(kind);
      at += head.at;
      continue;
    }
    const length = head.number();
    const start = at + head.at;
    if (start + length > file.size) throw truncated();
    at = start + length;
    if (field !== INDEX.documents) continue;
    documents += 1;
    requireAtMost(documents, SCIP_LIMITS.documents, 'documents');
    requireAtMost(length, SCIP_LIMITS.documentBytes, 'bytes in one document');
    yield await window.bytes(start, length);
  }
}

/** @throws ScipError if a count is over its limit. */
export function requireAtMost(count: number, most: number, noun: string): void {
  if (count > most) throw new ScipError(`must have at most ${most.toLocaleString('en')} ${noun}`);
}

/** A part of a file in memory that moves forward. */
class FileWindow {
  private start = 0;
  private content: Uint8Array = new Uint8Array();

  constructor(private readonly file: ByteFile) {}

  async bytes(offset: number, length: number): Promise<Uint8Array> {
    const from = offset - this.start;
    if (from < 0 || from + length > this.content.length) {
      this.content = await this.file.read(offset, Math.max(length, WINDOW_BYTES));
      this.start = offset;
      if (this.content.length < length) throw truncated();
      return this.content.subarray(0, length);
    }
    return this.content.subarray(from, from + length);
  }
}
