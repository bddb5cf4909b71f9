import { createHash } from 'node:crypto';

import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';

import { FootnoteError, isFootnoteError } from '#contracts';

import { type Clock, systemClock } from '../../clock/clock.js';
import { sleep } from '../../clock/sleep.js';
import { KeyedQueue } from '../../concurrency/keyed-queue.js';
import type { BoundToLog, LogBinding } from '../../log-binding/log-binding.port.js';
import { type Logger, silentLogger } from '../../logging/logger.js';
import { BlobCorruptError, BlobNotFoundError } from '../blob-errors.js';
import { type BlobStore, isEmptyStore } from '../blob-store.port.js';
import { copiesPrefix, type Copy, newCopy, parseCopy } from './copy-key.js';
import { openBucket } from './open-bucket.js';
import { REQUEST_LIMIT_MS, type S3Access, s3Client, transferLimitMs } from './s3-client.js';
import { asBlobStoreError, isMissing, s3Failure } from './s3-errors.js';
import { s3LogBinding } from './s3-log-binding.js';

export interface S3BlobStoreOptions extends S3Access {
  /** Created if it is missing and the credentials allow it. */
  readonly bucket: string;
  /** Prefix of every key, such as `footnote/`. Default: none. */
  readonly prefix?: string;
  readonly logger?: Logger;
  readonly clock?: Clock;
}

/** Larger blobs are uploaded in parts of this size. */
const PART_BYTES = 8 * 1024 * 1024;
/** Parts of one blob in flight at once. */
const PARTS_AT_ONCE = 4;
const DOWNLOAD_ATTEMPTS = 2;
const CONFLICT_ATTEMPTS = 5;
/** Number of listings of a read if a copy disappears during it. */
const READ_ATTEMPTS = 5;

/**
 * Opens blobs in an S3 bucket, for any number of processes.
 * @throws FootnoteError `engine_unavailable` if the store does not answer; Error if it rejects the
 * credentials, or the bucket neither exists nor can be created.
 */
export async function openS3BlobStore(
  options: S3BlobStoreOptions,
): Promise<BlobStore & BoundToLog> {
  const client = s3Client(options);
  try {
    await openBucket(client, options.bucket);
  } catch (error) {
    client.destroy();
    throw error;
  }
  return new S3BlobStore(client, options);
}

/**
 * Blobs in a bucket. Every write of a blob is its own object, `ab/<hash>.<time>-<random>`, and the
 * blob exists as long as one of them does. No two processes ever change the same object. So
 * collecting needs no lock and no conditional request, which not every store has. `deleteIfOlder`
 * removes writes older than its time, and a later one survives. `put` removes earlier writes after
 * its own is stored; a read that loses its copy that way lists again. Times are those of the
 * writers' clocks: they may differ by far less than the age at which blobs are collected.
 */
class S3BlobStore implements BlobStore, BoundToLog {
  readonly logBinding: LogBinding;
  private readonly turns = new KeyedQueue();
  private readonly bucket: string;
  private readonly prefix: string;
  private readonly clock: Clock;
  private readonly logger: Logger;

  constructor(
    private readonly client: S3Client,
    options: S3BlobStoreOptions,
  ) {
    this.bucket = options.bucket;
    this.prefix = options.prefix ?? '';
    this.clock = options.clock ?? systemClock;
    this.logger = options.logger ?? silentLogger;
    this.logBinding = s3LogBinding(client, options, () => isEmptyStore(this));
  }

  async put(bytes: Uint8Array): Promise<string> {
    const hash = createHash('sha256').update(bytes).digest('hex');
    await this.turns.run(hash, async () => {
      const written = newCopy(this.prefix, hash, this.clock.now().getTime());
      await onStore(() => this.store(written, bytes));
      // The blob is stored already; remaining earlier copies are left to the next write or
      // collection.
      await this.clearBefore(written).catch((error: unknown) =>
        this.logger.debug(
          { blob: hash, error: String(error) },
          'blob store: earlier copies of a blob were not removed; retrying with its next write',
        ),
      );
    });
    return hash;
  }

  async get(hash: string): Promise<Uint8Array> {
    for (let attempt = 0; attempt < READ_ATTEMPTS; attempt += 1) {
      const copies = await this.copies(hash);
      if (copies.length === 0) throw new BlobNotFoundError(hash);
      let corrupt = 0;
      for (const copy of copies.reverse()) {
        const bytes = await this.read(copy);
        if (!bytes) continue;
        if (createHash('sha256').update(bytes).digest('hex') === hash) return bytes;
        this.logger.error(
          { blob: hash, object: copy.key },
          'blob store: a blob does not match its name; trying its other copies',
        );
        corrupt += 1;
      }
      if (corrupt === copies.length) throw new BlobCorruptError(hash);
    }
    throw changing();
  }

  async readStart(hash: string, length: number): Promise<Uint8Array> {
    for (let attempt = 0; attempt < READ_ATTEMPTS; attempt += 1) {
      const copy = (await this.copies(hash)).at(-1);
      if (!copy) throw new BlobNotFoundError(hash);
      // A range of an empty object is an error.
      const size = Math.min(length, copy.size);
      const bytes = size === 0 ? new Uint8Array() : await this.read({ ...copy, size }, size);
      if (bytes) return bytes;
    }
    throw changing();
  }

  async has(hash: string): Promise<boolean> {
    return (await this.copies(hash)).length > 0;
  }

  async delete(hash: string): Promise<void> {
    await this.turns.run(hash, async () => {
      for (const copy of await this.copies(hash)) await this.remove(copy);
    });
  }

  async deleteIfOlder(hash: string, before: number): Promise<boolean> {
    return this.turns.run(hash, async () => {
      const copies = await this.copies(hash);
      const newest = copies.at(-1);
      if (!newest || newest.writtenAt >= before) return false;
      for (const copy of copies) await this.remove(copy);
      return true;
    });
  }

  async *list(): AsyncGenerator<{ hash: string; modifiedAt: number; size: number }> {
    let last: { hash: string; modifiedAt: number; size: number } | undefined;
    for await (const copy of this.objects(this.prefix)) {
      if (last && last.hash !== copy.hash) yield last;
      last = { hash: copy.hash, modifiedAt: copy.writtenAt, size: copy.size };
    }
    if (last) yield last;
  }

  private async store(copy: Copy, bytes: Uint8Array): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await (bytes.length > PART_BYTES
          ? this.upload(copy, bytes)
          : this.write(copy, bytes));
      } catch (error) {
        // From a gateway over files, which removes an empty folder while this write creates a file
        // in it.
        if (s3Failure(error).status !== 409 || attempt === CONFLICT_ATTEMPTS) throw error;
        await sleep(20 * attempt);
      }
    }
  }

  private async write(copy: Copy, bytes: Uint8Array): Promise<void> {
    const command = new PutObjectCommand({
      Bucket: this.bucket,
      Key: copy.key,
      Body: bytes,
      ContentLength: bytes.length,
      // The store rejects bytes that changed in transit.
      ChecksumSHA256: Buffer.from(copy.hash, 'hex').toString('base64'),
    });
    await this.client.send(command, {
      abortSignal: AbortSignal.timeout(transferLimitMs(bytes.length)),
    });
  }

  /**
   * Uploads a blob in parts. It appears with its last part; the bucket's lifecycle rule removes
   * parts of a killed process.
   */
  private async upload(copy: Copy, bytes: Uint8Array): Promise<void> {
    const upload = new Upload({
      client: this.client,
      params: { Bucket: this.bucket, Key: copy.key, Body: bytes, ChecksumAlgorithm: 'SHA256' },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
    });
    const timer = setTimeout(() => void upload.abort(), transferLimitMs(bytes.length));
    try {
      await upload.done();
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * @param first number of bytes from the start; default all.
   * @returns null if the copy no longer exists.
   */
  private async read(copy: StoredCopy, first?: number): Promise<Uint8Array | null> {
    return onStore(async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await this.download(copy, first);
        } catch (error) {
          if (isMissing(error)) return null;
          // The client repeats requests, but not an interrupted body.
          if (attempt === DOWNLOAD_ATTEMPTS) throw error;
        }
      }
    });
  }

  private async download(copy: StoredCopy, first?: number): Promise<Uint8Array> {
    const range = first === undefined ? {} : { Range: `bytes=0-${first - 1}` };
    const command = new GetObjectCommand({ Bucket: this.bucket, Key: copy.key, ...range });
    const abortSignal = AbortSignal.timeout(transferLimitMs(copy.size));
    const { Body } = await this.client.send(command, { abortSignal });
    return Body ? Body.transformToByteArray() : new Uint8Array();
  }

  private async remove(copy: Copy): Promise<void> {
    await onStore(() =>
      this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: copy.key }), limit()),
    );
  }

  private async clearBefore(written: Copy): Promise<void> {
    for (const copy of await this.copies(written.hash)) {
      if (copy.key < written.key) await this.remove(copy);
    }
  }

  /**
   * Returns the copies in the order of their writes.
   * @throws BlobNotFoundError if the name is not a hash.
   */
  private async copies(hash: string): Promise<StoredCopy[]> {
    const copies: StoredCopy[] = [];
    for await (const copy of this.objects(copiesPrefix(this.prefix, hash))) copies.push(copy);
    return copies;
  }

  private async *objects(prefix: string): AsyncGenerator<StoredCopy> {
    let token: string | undefined;
    do {
      const command = new ListObjectsV2Command({
        Bucket: this.bucket,
        Prefix: prefix,
        ContinuationToken: token,
      });
      const page = await onStore(() => this.client.send(command, limit()));
      for (const { Key, Size } of page.Contents ?? []) {
        const copy = parseCopy(this.prefix, Key ?? '');
        if (copy) yield { ...copy, size: Size ?? 0 };
      }
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (token);
  }
}

interface StoredCopy extends Copy {
  readonly size: number;
}

async function onStore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isFootnoteError(error) ? error : asBlobStoreError(error);
  }
}

function changing(): FootnoteError {
  return new FootnoteError('engine_unavailable', 'A blob changed repeatedly while it was read', {
    retryAfter: 1,
  });
}

function limit(): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(REQUEST_LIMIT_MS) };
}
