import { CreateBucketCommand, HeadBucketCommand, type S3Client } from '@aws-sdk/client-s3';

import { tlsFailure } from '../../tls/tls-failure.js';
import { REQUEST_LIMIT_MS } from './s3-client.js';
import { asBlobStoreError, s3Failure } from './s3-errors.js';

/**
 * Ensures that the bucket exists and may be used.
 * @throws FootnoteError `engine_unavailable` if the store does not answer; Error that says what an
 * operator has to fix.
 */
export async function openBucket(client: S3Client, bucket: string): Promise<void> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }), limit());
  } catch (error) {
    const { status } = s3Failure(error);
    if (status !== 404) throw refused(error, bucket);
    await createBucket(client, bucket);
  }
}

async function createBucket(client: S3Client, bucket: string): Promise<void> {
  try {
    await client.send(new CreateBucketCommand({ Bucket: bucket }), limit());
  } catch (error) {
    const { status, code } = s3Failure(error);
    if (code === 'BucketAlreadyOwnedByYou') return;
    if (status === undefined || status >= 500) throw asBlobStoreError(error);
    throw new Error(
      `The S3 bucket ${bucket} does not exist and could not be created (${code}); create it first`,
      {
        cause: error,
      },
    );
  }
}

function refused(cause: unknown, bucket: string): unknown {
  const { status, code } = s3Failure(cause);
  if (status === 301 || status === 400) {
    return new Error(`S3_REGION must be the region of the bucket ${bucket} (${code})`, {
      cause,
    });
  }
  if (status === 401 || status === 403) {
    return new Error(`S3 rejects these credentials for the bucket ${bucket} (${code})`, { cause });
  }
  return tlsFailure('S3', cause) ?? asBlobStoreError(cause);
}

function limit(): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(REQUEST_LIMIT_MS) };
}
