import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32, inflateRaw, inflateRawSync } from 'node:zlib';

import { type Entry, fromRandomAccessReaderPromise } from 'yauzl';

import { TimeSlices } from '#platform';

import { type ArchiveEntry, type ArchiveLimits, FREE_BYTES, MOST_RATIO } from './archive-entry.js';
import { ArchiveRefusedError } from './archive-refused.js';
import { shown } from './entry-path.js';
import { FileWindow, WindowReader } from './file-window.js';

const inflate = promisify(inflateRaw);

const ENCRYPTED = 0x1;
/** Flag for sizes that follow the data instead of preceding it. */
const STREAMED = 0x8;
const UNIX = 3;
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;
const SYMBOLIC_LINK = 0o120000;
const STORED = 0;
const DEFLATED = 8;
const LOCAL_SIGNATURE = 0x04034b50;
/** Bytes of a local header without its name. */
const LOCAL_HEADER = 30;
/** Bytes that packing may add to content at most. */
const SLACK = 65_536;
const SMALL = 65_536;
const LONGEST_LINK = 4_096;

/**
 * Streams the entries of a zip file (a wheel, a jar) by its directory. Checks the directory before
 * the first entry: the limits on entries and bytes, and that no two entries share data. For an
 * entry that is read, both headers, the size and the checksum must agree.
 *
 * @throws ArchiveRefusedError for a file that is damaged, cut off, encrypted, over a limit, or
 * wrong about its sizes.
 */
export async function* zipEntries(
  file: string,
  limits: ArchiveLimits,
  bytes: number,
): AsyncGenerator<ArchiveEntry> {
  const handle = await open(file, 'r');
  try {
    const window = new FileWindow(handle, bytes);
    const options = { autoClose: false, decodeStrings: false };
    const zip = await fromRandomAccessReaderPromise(new WindowReader(window), bytes, options);
    if (zip.entryCount > 2 * limits.maxFiles + 1) {
      throw new ArchiveRefusedError('too_large', `says that it has ${zip.entryCount} entries`);
    }
    // Most data of the entries is already in memory, so reading them does not yield by itself.
    const slices = new TimeSlices();
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) {
      if (slices.isUsedUp) await slices.pause();
      entries.push(entry);
    }
    requireSane(entries, limits, bytes);
    for (const entry of entries) {
      if (slices.isUsedUp) await slices.pause();
      yield await described(window, entry);
    }
  } catch (error) {
    throw zipFailure(error);
  } finally {
    await handle.close();
  }
}

function requireSane(
  entries: readonly Entry[],
  { maxUnpackedBytes }: ArchiveLimits,
  bytes: number,
): void {
  const unpacked = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (unpacked > maxUnpackedBytes) {
    throw new ArchiveRefusedError('too_large', `unpacks to more than ${maxUnpackedBytes} bytes`);
  }
  if (unpacked > FREE_BYTES && unpacked > MOST_RATIO * bytes) {
    throw new ArchiveRefusedError(
      'too_large',
      `unfolds to more than ${MOST_RATIO} times what was sent`,
    );
  }
  let end = 0;
  for (const entry of entries.toSorted(
    (a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader,
  )) {
    const { relativeOffsetOfLocalHeader: start, compressedSize, fileNameLength } = entry;
    if (start < end) throw new ArchiveRefusedError('broken', 'has entries that share their data');
    end = start + LOCAL_HEADER + fileNameLength + compressedSize;
  }
}

async function described(window: FileWindow, entry: Entry): Promise<ArchiveEntry> {
  const name = utf8(nameOf(entry));
  const type =
    entry.versionMadeBy >>> 8 === UNIX ? (entry.externalFileAttributes >>> 16) & FILE_TYPE : 0;
  const file = { name, size: entry.uncompressedSize, content: () => content(window, entry) };
  if (name?.endsWith('/') === true || type === FOLDER) return { ...file, kind: 'folder' };
  if (type !== SYMBOLIC_LINK)
    return { ...file, kind: type === 0 || type === REGULAR ? 'file' : 'other' };
  // A link's target is its content; a target that is too long points nowhere.
  const target = entry.uncompressedSize > LONGEST_LINK ? null : utf8(await unpacked(window, entry));
  return { ...file, kind: 'link', link: { target: target ?? '', from: 'folder' } };
}

async function* content(window: FileWindow, entry: Entry): AsyncGenerator<Uint8Array> {
  try {
    yield await unpacked(window, entry);
  } catch (error) {
    throw zipFailure(error);
  }
}

/** Returns the content of an entry after checking its size and checksum. */
async function unpacked(window: FileWindow, entry: Entry): Promise<Uint8Array> {
  const { compressionMethod: method, compressedSize, uncompressedSize } = entry;
  const name = shown(nameOf(entry).toString('latin1'));
  if ((entry.generalPurposeBitFlag & ENCRYPTED) !== 0)
    throw new ArchiveRefusedError('broken', `has ${name} encrypted`);
  if (method !== STORED && method !== DEFLATED) {
    throw new ArchiveRefusedError(
      'broken',
      `has ${name} packed in a way that is not read (${method})`,
    );
  }
  if (compressedSize > 2 * uncompressedSize + SLACK) throw lies(name);
  const packed = await window.bytes(await dataStart(window, entry, name), compressedSize);
  const bytes =
    method === STORED ? Buffer.from(packed) : await inflated(packed, uncompressedSize, name);
  if (bytes.byteLength !== uncompressedSize) throw lies(name);
  if (crc32(bytes) !== entry.crc32)
    throw new ArchiveRefusedError('broken', `has another checksum than it says of ${name}`);
  return bytes;
}

/**
 * Returns the offset of the data, which follows the local header. That header must agree with the
 * directory.
 */
async function dataStart(window: FileWindow, entry: Entry, name: string): Promise<number> {
  const { relativeOffsetOfLocalHeader: at, fileNameLength, generalPurposeBitFlag: flags } = entry;
  const header = await window.bytes(at, LOCAL_HEADER + fileNameLength);
  const isStreamed = (flags & STREAMED) !== 0;
  const agrees =
    header.readUInt32LE(0) === LOCAL_SIGNATURE &&
    header.readUInt16LE(8) === entry.compressionMethod &&
    (isStreamed || isSame(header.readUInt32LE(18), entry.compressedSize)) &&
    (isStreamed || isSame(header.readUInt32LE(22), entry.uncompressedSize)) &&
    header.readUInt16LE(26) === fileNameLength &&
    header.subarray(LOCAL_HEADER).equals(nameOf(entry));
  if (!agrees) throw new ArchiveRefusedError('broken', `has two different headers of ${name}`);
  return at + LOCAL_HEADER + fileNameLength + header.readUInt16LE(28);
}

/**
 * Unpacks an entry. Small entries are unpacked in this thread, because handing one to another
 * thread takes longer.
 */
async function inflated(packed: Buffer, size: number, name: string): Promise<Buffer> {
  const options = {
    maxOutputLength: Math.max(1, size),
    chunkSize: Math.min(Math.max(64, size + 1), SMALL),
  };
  try {
    return packed.byteLength <= SMALL
      ? inflateRawSync(packed, options)
      : await inflate(packed, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw lies(name);
    throw new ArchiveRefusedError('broken', `has ${name} damaged`, { cause: error });
  }
}

function lies(name: string): ArchiveRefusedError {
  return new ArchiveRefusedError('broken', `lies about the size of ${name}`);
}

/** Returns the raw name; the library runs with `decodeStrings: false`. */
function nameOf({ fileName }: Entry): Buffer {
  return fileName as unknown as Buffer;
}

/** Compares sizes. A local size of 32 set bits means that the extra field contains it. */
function isSame(local: number, central: number): boolean {
  return local === central || local === 0xffffffff;
}

/** Decodes UTF-8; returns null for invalid bytes. Writers often omit the flag for UTF-8. */
function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Converts plain errors of the library, which describe the file. System errors have a code and
 * remain unchanged.
 */
function zipFailure(error: unknown): unknown {
  if (error instanceof ArchiveRefusedError || !(error instanceof Error) || 'code' in error)
    return error;
  return new ArchiveRefusedError('broken', 'is no zip file, or is damaged or cut off', {
    cause: error,
  });
}
