import { type FileHandle, open, rm } from 'node:fs/promises';

/** Bytes collected before a write. */
const GATHERED = 1024 * 1024;

/** Location of a piece of content in the spool. */
export interface Spooled {
  readonly at: number;
  readonly size: number;
}

/**
 * Store for the content of many files in one file of our own, readable in any order. No name from
 * an archive becomes a name on disk. Writing ends with {@link finish}, before the first read.
 */
export class ContentSpool {
  private waiting: Uint8Array[] = [];
  private waitingBytes = 0;
  private end = 0;

  private constructor(
    private readonly file: string,
    private readonly handle: FileHandle,
  ) {}

  /** Creates the spool. @param file path that does not exist yet. */
  static async create(file: string): Promise<ContentSpool> {
    return new ContentSpool(file, await open(file, 'wx+', 0o600));
  }

  async add(bytes: Uint8Array): Promise<Spooled> {
    const place = { at: this.end, size: bytes.byteLength };
    this.end += bytes.byteLength;
    this.waiting.push(bytes);
    this.waitingBytes += bytes.byteLength;
    if (this.waitingBytes >= GATHERED) await this.finish();
    return place;
  }

  /** Writes the content that is still in memory. */
  async finish(): Promise<void> {
    const bytes = Buffer.concat(this.waiting);
    this.waiting = [];
    this.waitingBytes = 0;
    for (let written = 0; written < bytes.byteLength;) {
      written += (await this.handle.write(bytes, written)).bytesWritten;
    }
  }

  /** Returns the content in a separate buffer, which may be transferred to a worker. */
  async read({ at, size }: Spooled): Promise<Uint8Array> {
    const bytes = Buffer.allocUnsafeSlow(size);
    for (let read = 0; read < size;) {
      const { bytesRead } = await this.handle.read(bytes, read, size - read, at + read);
      if (bytesRead === 0) throw new Error('The spooled content was cut off');
      read += bytesRead;
    }
    return bytes;
  }

  async close(): Promise<void> {
    await this.handle.close();
    await rm(this.file, { force: true });
  }
}
