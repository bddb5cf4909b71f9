import { createReadStream } from 'node:fs';

import { type Extract, extract, type Header } from 'tar-stream';

import { BodyRefusedError, decodedBody } from '../web/decode-body.js';
import type { ArchiveEntry } from './archive-entry.js';
import { ArchiveRefusedError } from './archive-refused.js';

/**
 * Streams the entries of a gzipped tar file in its order, unpacked during the read. Memory contains
 * only the part that is being read.
 *
 * @throws ArchiveRefusedError for a file that is damaged, cut off, or unpacks to more than
 * `maxUnpackedBytes`.
 */
export async function* tarEntries(
  file: string,
  maxUnpackedBytes: number,
): AsyncGenerator<ArchiveEntry> {
  const reader = extract();
  const packed = createReadStream(file);
  const feeding = feed(decodedBody(packed, 'gzip', maxUnpackedBytes), reader);
  try {
    for await (const entry of reader) {
      let isRead = false;
      yield {
        ...described(entry.header),
        content: () => {
          isRead = true;
          return content(entry as AsyncIterable<Uint8Array>);
        },
      };
      if (!isRead) entry.resume();
    }
  } catch (error) {
    throw tarFailure(error);
  } finally {
    reader.destroy(null);
    packed.destroy();
    await feeding;
  }
}

async function* content(entry: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* entry;
  } catch (error) {
    throw tarFailure(error);
  }
}

/** Writes the source to the reader. An error of the source ends the reader, which reports it. */
async function feed(source: AsyncIterable<Uint8Array>, reader: Extract): Promise<void> {
  try {
    for await (const part of source) {
      if (reader.destroyed) return;
      if (!reader.write(part)) await writable(reader);
    }
    reader.end(null);
  } catch (error) {
    reader.destroy(error as Error);
  }
}

/** Waits until the reader accepts more data or is closed. */
function writable(reader: Extract): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      reader.off('drain', done);
      reader.off('close', done);
      resolve();
    };
    reader.on('drain', done);
    reader.on('close', done);
  });
}

function described({ name, type, size, linkname }: Header): Omit<ArchiveEntry, 'content'> {
  const readable = name.includes('\ufffd') ? null : name;
  if (type === 'symlink' || type === 'link') {
    const link = {
      target: (linkname as string | null) ?? '',
      from: type === 'link' ? ('top' as const) : ('folder' as const),
    };
    return { name: readable, kind: 'link', size: 0, link };
  }
  const isFile = type === 'file' || type === 'contiguous-file';
  const kind = type === 'directory' ? 'folder' : isFile ? 'file' : 'other';
  return { name: readable, kind, size };
}

function tarFailure(error: unknown): unknown {
  if (error instanceof BodyRefusedError) {
    const reason = error.reason === 'too_large' || error.reason === 'bomb' ? 'too_large' : 'broken';
    const message =
      error.reason === 'encoding' ? 'is not a gzip file, or is damaged' : error.message;
    return new ArchiveRefusedError(reason, unpacked(error.reason, message), { cause: error });
  }
  const isReaders =
    error instanceof Error &&
    /tar header|unexpected end|header exceeds|invalid header/i.test(error.message);
  return isReaders
    ? new ArchiveRefusedError('broken', 'is no tar file, or is damaged', { cause: error })
    : error;
}

function unpacked(reason: BodyRefusedError['reason'], message: string): string {
  return reason === 'too_large'
    ? message.replace(/^is larger than/, 'unpacks to more than')
    : message;
}
