import { createHash } from 'node:crypto';

import { HeadObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';

import { REQUEST_LIMIT_MS, type S3Access, s3Client } from '../blob-store/s3/s3-client.js';
import { asBlobStoreError, s3Failure } from '../blob-store/s3/s3-errors.js';
import type { LockedCopies } from './locked-copies.port.js';

export interface S3LockedCopiesOptions extends S3Access {
  /** A bucket with Object Lock, which can be enabled only when the bucket is created. */
  readonly bucket: string;
}

/**
 * Files in a bucket with Object Lock in compliance mode: no user, the owner of the account
 * included, can delete a version before its date.
 */
export class S3LockedCopies implements LockedCopies {
  private readonly client: S3Client;

  constructor(private readonly options: S3LockedCopiesOptions) {
    this.client = s3Client(options);
  }

  get place(): string {
    return this.options.bucket;
  }

  async put(key: string, bytes: Uint8Array, until: Date): Promise<void> {
    const { bucket } = this.options;
    try {
      const { VersionId } = await this.client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: key,
          Body: bytes,
          ContentLength: bytes.length,
          // Stores require it of requests with a lock.
          ContentMD5: createHash('md5').update(bytes).digest('base64'),
          ContentType: 'text/plain; charset=utf-8',
          ObjectLockMode: 'COMPLIANCE',
          ObjectLockRetainUntilDate: until,
        }),
        limit(),
      );
      const version = VersionId === undefined ? {} : { VersionId };
      const stored = await this.client.send(
        new HeadObjectCommand({ Bucket: bucket, Key: key, ...version }),
        limit(),
      );
      // Stores without the feature ignore the lock of a request.
      const lockedUntil = stored.ObjectLockRetainUntilDate?.getTime() ?? 0;
      if (stored.ObjectLockMode === 'COMPLIANCE' && lockedUntil >= seconds(until)) return;
    } catch (error) {
      if (s3Failure(error).status === 400) throw notLocked(bucket, error);
      throw asBlobStoreError(error);
    }
    throw notLocked(bucket);
  }

  /** Ends the connections. */
  close(): void {
    this.client.destroy();
  }
}

/** Returns a moment without the part of a second, which requests do not carry. */
function seconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1_000) * 1_000;
}

function notLocked(bucket: string, cause?: unknown): Error {
  const message = `The bucket ${bucket} must have Object Lock; create a bucket with it`;
  return new Error(message, cause === undefined ? {} : { cause });
}

function limit(): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(REQUEST_LIMIT_MS) };
}
