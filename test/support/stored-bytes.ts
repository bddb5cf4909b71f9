import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';

const FRAME = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** The files below a folder in whose bytes a text stands, as they are or in what they hold compressed by zstd. */
export function filesThatHold(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => unfolded(readFileSync(file)).some((bytes) => bytes.includes(text)));
}

/** The bytes and every zstd frame in them. */
function unfolded(bytes: Buffer): readonly Buffer[] {
  const starts: number[] = [];
  for (let at = bytes.indexOf(FRAME); at !== -1; at = bytes.indexOf(FRAME, at + 1)) starts.push(at);
  const frames = starts.flatMap((start, index) => {
    try {
      return [zstdDecompressSync(bytes.subarray(start, starts[index + 1]))];
    } catch {
      // Bytes behind the last frame, or four that only look like one's beginning: what else there is is looked at.
      return [withoutTail(bytes, start)];
    }
  });
  return [bytes, ...frames];
}

/** A frame with something else behind it: as much as comes out before that is met. */
function withoutTail(bytes: Buffer, start: number): Buffer {
  for (let end = bytes.length; end > start + FRAME.length; end -= 1) {
    try {
      return zstdDecompressSync(bytes.subarray(start, end));
    } catch {
      continue;
    }
  }
  return Buffer.alloc(0);
}
