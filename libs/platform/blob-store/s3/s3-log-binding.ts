import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';

import { LOG_ID_FILE } from '../../log-binding/file-log-binding.js';
import { type LogBinding, parseLogId } from '../../log-binding/log-binding.port.js';
import { REQUEST_LIMIT_MS } from './s3-client.js';
import { asBlobStoreError, isMissing } from './s3-errors.js';

/**
 * Returns a binding as an object next to the blobs. Its key lacks the folder of two digits that
 * every blob has, so listings and collections ignore it.
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

/** @returns undefined for a missing object. */
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
