import type { FileHandle } from 'node:fs/promises';

import { RandomAccessReader } from 'yauzl';

import { ArchiveRefusedError } from './archive-refused.js';

/** Bytes per read: entries of a zip file are small and adjacent. */
const WINDOW = 1024 * 1024;

/** Reader of a file at any position, mostly forward; one read at a time. */
export class FileWindow {
  private held: Buffer = Buffer.alloc(0);
  private start = 0;

  constructor(
    private readonly handle: FileHandle,
    readonly size: number,
  ) {}

  /**
   * Returns bytes that remain valid until the next read.
   *
   * @throws ArchiveRefusedError beyond the end of the file.
   */
  async bytes(position: number, length: number): Promise<Buffer> {
    if (position < 0 || position + length > this.size)
      throw new ArchiveRefusedError('broken', 'is damaged or cut off');
    if (position < this.start || position + length > this.start + this.held.length)
      await this.move(position, length);
    return this.held.subarray(position - this.start, position - this.start + length);
  }

  private async move(position: number, length: number): Promise<void> {
    const wanted = Math.min(Math.max(WINDOW, length), this.size - position);
    const buffer = Buffer.allocUnsafe(wanted);
    for (let read = 0; read < wanted;) {
      const { bytesRead } = await this.handle.read(buffer, read, wanted - read, position + read);
      if (bytesRead === 0) throw new ArchiveRefusedError('broken', 'is damaged or cut off');
      read += bytesRead;
    }
    this.held = buffer;
    this.start = position;
  }
}

/** Reader through which the library reads the directory of a zip file. */
export class WindowReader extends RandomAccessReader {
  constructor(private readonly window: FileWindow) {
    super();
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.window.bytes(position, length).then(
      (bytes) => callback(null, bytes.copy(buffer, offset)),
      (error: unknown) => callback(error as Error),
    );
  }
}
