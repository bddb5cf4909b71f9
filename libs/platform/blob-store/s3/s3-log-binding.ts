import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';

import { LOG_ID_FILE } from '../../log-binding/file-log-binding.js';
import { type LogBinding, parseLogId } from '../../log-binding/log-binding.port.js';
import { REQUEST_LIMIT_MS } from './s3-client.js';
import { asBlobStoreError, isMissing } from './s3-errors.js';

/**
 * A binding as an object beside the blobs. Its key has no folder of two digits before it, as every
 * blob has: no listing takes it for a blob, and so no collection either.
 */
export function s3LogBinding(
  client: S3Client,
  { bucket, prefix = '' }: { readonly bucket: string; readonly prefix?: string },
  isEmpty: () => Promise<boolean>,
): LogBinding {
  const place = { Bucket: bucket, Key: `${prefix}${LOG_ID_FILE}` };
  return {
    isEmpty,
    boundTo: async () => {
      const text = await onStore(async () => {
        const { Body } = await client.send(new GetObjectCommand(place), limit());
        return Body?.transformToString();
      });
      return text === undefined
        ? null
        : parseLogId(text, `The object ${place.Key} of the bucket ${bucket}`);
    },
    bind: async (log) => {
      const Body = `${log}\n`;
      const command = new PutObjectCommand({ ...place, Body, ContentLength: Body.length });
      await onStore(() => client.send(command, limit()));
    },
  };
}

/** @returns undefined for an object that is not there. */
async function onStore<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw asBlobStoreError(error);
  }
}

function limit(): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(REQUEST_LIMIT_MS) };
}
