import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Bytes on disk without a name: the file is removed from its folder as soon as it is open. So
 * nothing is left of it when it is closed, or when the process ends in the middle of it.
 */
export class SpooledFile {
  private readonly hash = createHash('sha256');
  private bytes = 0;

  private constructor(private readonly handle: FileHandle) {}

  /** @param folder is made when it is not there. */
  static async create(folder: string): Promise<SpooledFile> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, randomUUID());
    const handle = await open(path, 'wx+', 0o600);
    await rm(path, { force: true });
    return new SpooledFile(handle);
  }

  get size(): number {
    return this.bytes;
  }

  async append(piece: Uint8Array): Promise<void> {
    this.hash.update(piece);
    for (let written = 0; written < piece.byteLength;) {
      const { bytesWritten } = await this.handle.write(
        piece,
        written,
        piece.byteLength - written,
        this.bytes,
      );
      written += bytesWritten;
      this.bytes += bytesWritten;
    }
  }

  /** SHA-256 in hex of what was appended; nothing can be appended after. */
  digest(): string {
    return this.hash.digest('hex');
  }

  /** From the first byte on, at most so many. */
  read(most = this.bytes): Promise<Uint8Array> {
    return this.readAt(0, most);
  }

  /** Returns bytes from an offset, fewer than `most` only at the end. */
  async readAt(offset: number, most: number): Promise<Uint8Array> {
    const bytes = Buffer.alloc(Math.max(0, Math.min(most, this.bytes - offset)));
    for (let read = 0; read < bytes.byteLength;) {
      const left = bytes.byteLength - read;
      const { bytesRead } = await this.handle.read(bytes, read, left, offset + read);
      if (bytesRead === 0) throw new Error('A spooled file is shorter than what was written to it');
      read += bytesRead;
    }
    return bytes;
  }

  async close(): Promise<void> {
    await this.handle.close();
  }
}
