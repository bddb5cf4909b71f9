import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm, stat, unlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { KeyedQueue } from '../../concurrency/keyed-queue.js';
import { syncFile, syncFolder } from '../../files/durable.js';
import { replaceFile, replaceScratchFile } from '../../files/replace-file.js';
import { asStorageFull } from '../../files/storage-full.js';
import { FileLogBinding } from '../../log-binding/file-log-binding.js';
import type { BoundToLog, LogBinding } from '../../log-binding/log-binding.port.js';
import { BlobCorruptError, BlobNotFoundError, isBlobGone } from '../blob-errors.js';
import { type BlobStore, isEmptyStore, type PutOptions } from '../blob-store.port.js';

const HASH = /^[0-9a-f]{64}$/;

/**
 * Blobs as files, `<directory>/ab/abcdef…`. A temporary file is fsynced, then renamed, and the
 * folder is fsynced after. A blob that need not be durable is only written and renamed.
 */
export class FsBlobStore implements BlobStore, BoundToLog {
  readonly logBinding: LogBinding;
  private readonly temporary: string;
  /** The folder has one owner, so it is enough to order work within this process. */
  private readonly turns = new KeyedQueue();

  private constructor(private readonly directory: string) {
    this.temporary = join(directory, 'tmp');
    this.logBinding = new FileLogBinding(directory, () => isEmptyStore(this));
  }

  /**
   * Opens the folder, creates it if it is missing, and removes unfinished files of a killed writer.
   * The folder has one owner.
   */
  static async open(directory: string): Promise<FsBlobStore> {
    const store = new FsBlobStore(directory);
    await rm(store.temporary, { recursive: true, force: true });
    await mkdir(store.temporary, { recursive: true });
    return store;
  }

  async put(bytes: Uint8Array, { durable = true }: PutOptions = {}): Promise<string> {
    const hash = createHash('sha256').update(bytes).digest('hex');
    await this.turns.run(hash, async () => {
      const exists = (await this.isWhole(hash)) && (await this.touch(hash));
      if (!exists) await this.write(hash, bytes, durable);
      // Its earlier writer may have left that out.
      else if (durable) await this.makeDurable(hash);
    });
    return hash;
  }

  async get(hash: string): Promise<Uint8Array> {
    const bytes = await readFile(this.path(hash)).catch((error: unknown) => {
      throw readError(error, hash);
    });
    if (createHash('sha256').update(bytes).digest('hex') !== hash) throw new BlobCorruptError(hash);
    return bytes;
  }

  async readStart(hash: string, length: number): Promise<Uint8Array> {
    try {
      const file = await open(this.path(hash));
      try {
        const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length, 0);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    } catch (error) {
      throw readError(error, hash);
    }
  }

  async has(hash: string): Promise<boolean> {
    return stat(this.path(hash)).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return false;
        throw asStorageFull(error, 'The blob store');
      },
    );
  }

  async delete(hash: string): Promise<void> {
    await this.turns.run(hash, () => this.remove(hash));
  }

  async deleteIfOlder(hash: string, before: number): Promise<boolean> {
    return this.turns.run(hash, async () => {
      const found = await stat(this.path(hash)).catch(() => null);
      if (!found || found.mtimeMs >= before) return false;
      await this.remove(hash);
      return true;
    });
  }

  async *list(): AsyncGenerator<{ hash: string; modifiedAt: number; size: number }> {
    for (const folder of await namesIn(this.directory)) {
      if (!/^[0-9a-f]{2}$/.test(folder)) continue;
      for (const hash of await namesIn(join(this.directory, folder))) {
        if (!HASH.test(hash)) continue;
        const found = await stat(this.path(hash)).catch(() => null);
        if (found) yield { hash, modifiedAt: found.mtimeMs, size: found.size };
      }
    }
  }

  /** Reports whether the blob exists with matching bytes; damaged ones are rewritten. */
  private async isWhole(hash: string): Promise<boolean> {
    return this.get(hash).then(
      () => true,
      (error: unknown) => {
        if (isBlobGone(error)) return false;
        throw error;
      },
    );
  }

  private async makeDurable(hash: string): Promise<void> {
    try {
      await syncFile(this.path(hash));
      await syncFolder(dirname(this.path(hash)));
    } catch (error) {
      throw asStorageFull(error, 'The blob store');
    }
  }

  private async write(hash: string, bytes: Uint8Array, durable: boolean): Promise<void> {
    try {
      await this.replace(hash, bytes, durable).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        // The first blob of its folder; or both were lost with a disk.
        await mkdir(this.temporary, { recursive: true });
        await mkdir(join(this.directory, hash.slice(0, 2)), { recursive: true });
        await syncFolder(this.directory);
        await this.replace(hash, bytes, durable);
      });
    } catch (error) {
      throw asStorageFull(error, 'The blob store');
    }
  }

  private async replace(hash: string, bytes: Uint8Array, durable: boolean): Promise<void> {
    const options = { draft: join(this.temporary, randomUUID()) };
    if (durable) await replaceFile(this.path(hash), bytes, options);
    else await replaceScratchFile(this.path(hash), bytes, options);
  }

  /** Removes a blob that may be missing. `rm` would examine the path before, in further calls. */
  private async remove(hash: string): Promise<void> {
    await unlink(this.path(hash)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }

  /**
   * Sets the write time of an existing blob to now, so that a collection of old blobs leaves it to
   * its new user.
   */
  private async touch(hash: string): Promise<boolean> {
    const now = new Date();
    return utimes(this.path(hash), now, now).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return false;
        throw asStorageFull(error, 'The blob store');
      },
    );
  }

  private path(hash: string): string {
    if (!HASH.test(hash)) throw new BlobNotFoundError(hash);
    return join(this.directory, hash.slice(0, 2), hash);
  }
}

/** Returns the names in a folder, in order; empty if it was lost with a disk. */
async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw asStorageFull(error, 'The blob store');
  });
  return names.sort();
}

function readError(error: unknown, hash: string): unknown {
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  return isMissing ? new BlobNotFoundError(hash) : asStorageFull(error, 'The blob store');
}
