import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

import { extract, type Header } from 'tar-stream';

import { ServerError } from './server-error.js';

const MOST_FILES = 50_000;
const MOST_BYTES = 1024 * 1024 * 1024;
const EXECUTABLE = 0o111;

/**
 * Unpacks a tarball of npm into a folder, without the first folder of each path.
 * @throws ServerError for a file that is no such tarball, and for paths that leave the folder. The
 * same holds for entries other than files and folders, and for more than 50,000 files or 1 GiB.
 */
export async function unpackTarball(
  tarball: string,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const entries = extract();
  const reading = pipeline(createReadStream(tarball), createGunzip(), entries, { signal });
  // The loop below reports the problem; without a handler here it would end the process first.
  reading.catch(() => undefined);
  let files = 0;
  let bytes = 0;
  try {
    for await (const entry of entries) {
      const { name, type, size = 0, mode = 0 } = entry.header;
      const path = join(folder, ...segmentsOf(name));
      files += 1;
      bytes += size;
      if (files > MOST_FILES || bytes > MOST_BYTES) throw invalid('it is too large');
      if (!isKept(type)) throw invalid(`it has an entry of type ${String(type)}`);
      await mkdir(type === 'directory' ? path : dirname(path), { recursive: true });
      if (type === 'directory') entry.resume();
      else await pipeline(entry, createWriteStream(path, { mode: modeOf(mode) }), { signal });
    }
    await reading;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ServerError) throw error;
    throw invalid(error instanceof Error ? error.message : String(error));
  }
}

/** Returns the parts of a path below the first folder. */
function segmentsOf(name: string): readonly string[] {
  const [top = '', ...segments] = name.replace(/\/$/, '').split('/');
  const isPlain = (segment: string) => !/^\.{0,2}$|[\\:\0]/.test(segment);
  if (segments.length === 0 || ![top, ...segments].every(isPlain))
    throw invalid('it has an invalid path');
  return segments;
}

function isKept(type: Header['type']): boolean {
  return type === 'file' || type === 'directory';
}

function modeOf(mode: number): number {
  return (mode & EXECUTABLE) === 0 ? 0o644 : 0o755;
}

function invalid(reason: string): ServerError {
  return new ServerError(`The tarball of the server cannot be unpacked: ${reason}`);
}
