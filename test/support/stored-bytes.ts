import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { constants, inflateSync, zstdDecompressSync } from 'node:zlib';

const FRAME = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** The first bytes of a zlib stream, as git writes its objects. */
const ZLIB = [0x01, 0x5e, 0x9c, 0xda].map((level) => Buffer.from([0x78, level]));

/**
 * The files below a folder in whose bytes a text stands, as they are or in what they hold
 * compressed by zstd.
 */
export function filesThatHold(folder: string, text: string): readonly string[] {
  return filesBelow(folder).filter((file) =>
    unfolded(readFileSync(file)).some((bytes) => bytes.includes(text)),
  );
}

/**
 * Searches all files below a folder for marked words: the marker and the letters that follow it. It
 * finds them in the bytes, in zstd frames and in git's objects, each as text, in base64 and in hex.
 * @param marker letters and digits.
 * @returns each word's files, relative to the folder.
 */
export function markedWords(
  folder: string,
  marker: string,
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const file of filesBelow(folder)) {
    const name = relative(folder, file);
    const bytes = bytesOf(file);
    const pieces = [...unfolded(bytes), ...(name.startsWith('git/') ? inflated(bytes) : [])];
    for (const word of pieces.flatMap((piece) => wordsIn(piece, marker))) {
      found.set(word, (found.get(word) ?? new Set()).add(name));
    }
  }
  return found;
}

/** A running service may remove a file after it was listed: it holds nothing then. */
function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The bytes and every zstd frame in them. */
function unfolded(bytes: Buffer): readonly Buffer[] {
  const frames = positions(bytes, FRAME).flatMap((start) => {
    const end = frameEnd(bytes, start);
    const frame =
      end === null ? null : quietly(() => zstdDecompressSync(bytes.subarray(start, end)));
    return frame ? [frame] : [];
  });
  return [bytes, ...frames];
}

/**
 * Returns the end of a zstd frame, from the headers of frame and blocks (RFC 8878); null for other
 * bytes.
 */
function frameEnd(bytes: Buffer, start: number): number | null {
  const descriptor = bytes[start + FRAME.length] ?? 0;
  const isSingle = (descriptor & 0x20) !== 0;
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  let at = start + FRAME.length + 1 + (isSingle ? 0 : 1) + dictionaryBytes + sizeBytes;
  while (at + 3 <= bytes.length) {
    const block = bytes.readUIntLE(at, 3);
    const isRunLength = ((block >> 1) & 3) === 1;
    at += 3 + (isRunLength ? 1 : block >> 3);
    if ((block & 1) === 1) return at + ((descriptor & 4) === 0 ? 0 : 4);
  }
  return null;
}

/** Every zlib stream in the bytes, also one with something else behind it. */
function inflated(bytes: Buffer): readonly Buffer[] {
  return ZLIB.flatMap((head) => positions(bytes, head)).flatMap((start) => {
    const options = { finishFlush: constants.Z_SYNC_FLUSH };
    const stream = quietly(() => inflateSync(bytes.subarray(start), options));
    return stream ? [stream] : [];
  });
}

function wordsIn(bytes: Buffer, marker: string): readonly string[] {
  const read = (text: string): readonly string[] =>
    text.match(new RegExp(`${marker}[a-z]+`, 'gi')) ?? [];
  const around = (start: number) =>
    bytes.subarray(Math.max(0, start), Math.max(0, start) + 120).toString('latin1');
  const plain = positions(bytes, Buffer.from(marker)).map((at) => read(around(at))[0]);
  const hex = positions(bytes, Buffer.from(Buffer.from(marker).toString('hex'))).map(
    (at) => read(Buffer.from(around(at), 'hex').toString('latin1'))[0],
  );
  // A marker begins at one of three places in a group of base64. The part that depends on the
  // neighboring bytes is left out.
  const base64 = [0, 1, 2].flatMap((shift) => {
    const first = [0, 2, 3][shift] ?? 0;
    const whole = Math.floor(((shift + marker.length) * 8) / 6);
    const pattern = Buffer.from(
      Buffer.from('\0'.repeat(shift) + marker)
        .toString('base64')
        .slice(first, whole),
    );
    return positions(bytes, pattern).map(
      (at) => read(Buffer.from(around(at - first), 'base64').toString('latin1'))[0],
    );
  });
  return [...plain, ...hex, ...base64].filter((word) => word !== undefined);
}

function positions(bytes: Buffer, pattern: Buffer): readonly number[] {
  const found: number[] = [];
  for (let at = bytes.indexOf(pattern); at !== -1; at = bytes.indexOf(pattern, at + 1))
    found.push(at);
  return found;
}

/** Bytes that only look like the beginning of something compressed are nothing. */
function quietly<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
