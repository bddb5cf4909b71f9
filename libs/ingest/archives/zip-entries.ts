import { crc32 } from 'node:zlib';

import { openPromise, type Entry, type ZipFile } from 'yauzl';

import { FREE_BYTES, MOST_RATIO, type ArchiveEntry, type ArchiveLimits } from './archive-entry.js';
import { ArchiveRefusedError } from './archive-refused.js';
import { shown } from './entry-path.js';

const ENCRYPTED = 0x1;
/** Sizes follow the data instead of standing before it. */
const STREAMED = 0x8;
const UNIX = 3;
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;
const SYMBOLIC_LINK = 0o120000;
/** Bytes of a local header without its name. */
const LOCAL_HEADER = 30;
const LONGEST_LINK = 4_096;

/**
 * The entries of a zip file (a wheel, a jar) by its directory. Before the first one comes, the directory is held against itself: no
 * more entries and bytes than allowed, and no two that share data. Of an entry that is read, both headers, size and checksum must agree.
 *
 * @throws ArchiveRefusedError for what is damaged, cut off, encrypted, lies about its sizes or is over a limit.
 */
export async function* zipEntries(file: string, limits: ArchiveLimits, bytes: number): AsyncGenerator<ArchiveEntry> {
  const zip = await openPromise(file, { autoClose: false, decodeStrings: false }).catch((error: unknown) => {
    throw zipFailure(error);
  });
  try {
    if (zip.entryCount > 2 * limits.maxFiles + 1) {
      throw new ArchiveRefusedError('too_large', `says that it has ${zip.entryCount} entries`);
    }
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) entries.push(entry);
    requireSane(entries, limits, bytes);
    for (const entry of entries) yield await described(zip, entry);
  } catch (error) {
    throw zipFailure(error);
  } finally {
    zip.close();
  }
}

function requireSane(entries: readonly Entry[], { maxUnpackedBytes }: ArchiveLimits, bytes: number): void {
  const unpacked = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (unpacked > maxUnpackedBytes) {
    throw new ArchiveRefusedError('too_large', `unpacks to more than ${maxUnpackedBytes} bytes`);
  }
  if (unpacked > FREE_BYTES && unpacked > MOST_RATIO * bytes) {
    throw new ArchiveRefusedError('too_large', `unfolds to more than ${MOST_RATIO} times what was sent`);
  }
  let end = 0;
  for (const entry of entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)) {
    const { relativeOffsetOfLocalHeader: start, compressedSize, fileNameLength } = entry;
    if (start < end) throw new ArchiveRefusedError('broken', 'has entries that share their data');
    end = start + LOCAL_HEADER + fileNameLength + compressedSize;
  }
}

async function described(zip: ZipFile, entry: Entry): Promise<ArchiveEntry> {
  const name = utf8(entry.fileName as unknown as Uint8Array);
  const type = entry.versionMadeBy >>> 8 === UNIX ? (entry.externalFileAttributes >>> 16) & FILE_TYPE : 0;
  const file = { name, size: entry.uncompressedSize, content: () => told(content(zip, entry)) };
  if (name?.endsWith('/') === true || type === FOLDER) return { ...file, kind: 'folder' };
  if (type === SYMBOLIC_LINK)
    return { ...file, kind: 'link', link: { target: await target(zip, entry), from: 'folder' } };
  return { ...file, kind: type === 0 || type === REGULAR ? 'file' : 'other' };
}

/** A link's target is its content; one that is too long leads nowhere. */
async function target(zip: ZipFile, entry: Entry): Promise<string> {
  if (entry.uncompressedSize > LONGEST_LINK) return '';
  const parts: Uint8Array[] = [];
  for await (const part of told(content(zip, entry))) parts.push(part);
  return utf8(Buffer.concat(parts)) ?? '';
}

async function* told(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* parts;
  } catch (error) {
    throw zipFailure(error);
  }
}

async function* content(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  const { generalPurposeBitFlag: flags, compressedSize, uncompressedSize } = entry;
  const name = shown(Buffer.from(entry.fileName).toString('latin1'));
  if ((flags & ENCRYPTED) !== 0) throw new ArchiveRefusedError('broken', `has ${name} encrypted`);
  if (!entry.canDecodeFileData()) {
    throw new ArchiveRefusedError(
      'broken',
      `has ${name} packed in a way that is not read (${entry.compressionMethod})`,
    );
  }
  const local = await zip.readLocalFileHeaderPromise(entry);
  const agrees =
    Buffer.compare(local.fileName, entry.fileName as unknown as Uint8Array) === 0 &&
    local.compressionMethod === entry.compressionMethod &&
    ((flags & STREAMED) !== 0 || isSame(local.compressedSize, compressedSize)) &&
    ((flags & STREAMED) !== 0 || isSame(local.uncompressedSize, uncompressedSize));
  if (!agrees) throw new ArchiveRefusedError('broken', `tells of ${name} two different things`);
  let sum = 0;
  let size = 0;
  for await (const part of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
    sum = crc32(part, sum);
    size += part.byteLength;
    if (size > uncompressedSize) break;
    yield part;
  }
  if (size !== uncompressedSize) throw new ArchiveRefusedError('broken', `lies about the size of ${name}`);
  if (sum !== entry.crc32) throw new ArchiveRefusedError('broken', `has another checksum than it says of ${name}`);
}

/** A size of 32 set bits stands in the extra field. */
function isSame(local: number, central: number): boolean {
  return local === central || local === 0xffffffff;
}

/** Null for bytes that are no UTF-8. Writers often leave out the mark that says they are. */
function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The library throws plain errors about the file, and the system's with a code of their own. */
function zipFailure(error: unknown): unknown {
  if (error instanceof ArchiveRefusedError || !(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code !== '' && !code.startsWith('Z_')) return error;
  const lies = /byte/i.test(error.message) && /stream/i.test(error.message);
  const message = lies ? 'lies about the size of what it holds' : 'is no zip file, or is damaged or cut off';
  return new ArchiveRefusedError('broken', message, { cause: error });
}
