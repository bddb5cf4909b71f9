import { FootnoteError } from '#contracts';

/** Error codes of different stores for a full disk. */
const FULL = new Set([
  'InsufficientStorage',
  'QuotaExceeded',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
]);

/** Returns HTTP status and code of an answer of the store; neither without an answer. */
export function s3Failure(error: unknown): {
  readonly status: number | undefined;
  readonly code: string;
} {
  if (typeof error !== 'object' || error === null) return { status: undefined, code: '' };
  const { $metadata, name } = error as {
    readonly $metadata?: { readonly httpStatusCode?: number };
    readonly name?: string;
  };
  return { status: $metadata?.httpStatusCode, code: name ?? '' };
}

export function isMissing(error: unknown): boolean {
  const { status, code } = s3Failure(error);
  return code === 'NoSuchKey' || (status === 404 && code !== 'NoSuchBucket');
}

/**
 * Converts an error: `storage_full` if the store is full, `engine_unavailable` if it rejects,
 * fails, or is unreachable. In each case a caller can only wait. Errors of other origin are
 * unchanged.
 */
export function asBlobStoreError(cause: unknown): unknown {
  const { status, code } = s3Failure(cause);
  if (status === 507 || FULL.has(code))
    return new FootnoteError(
      'storage_full',
      'The blob store is full; free space, then repeat the request',
      { cause },
    );
  if (!isOfStoreOrNetwork(cause)) return cause;
  return new FootnoteError(
    'engine_unavailable',
    'The blob store is unavailable; repeat the request',
    {
      retryAfter: 5,
      cause,
    },
  );
}

/** Answers of the store have `$metadata`, socket errors a `code`, and timeouts their name. */
function isOfStoreOrNetwork(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code } = s3Failure(error);
  const isMistake = code === 'TypeError' || code === 'RangeError';
  return (
    !isMistake && ('$metadata' in error || 'code' in error || /^(Timeout|Abort)Error$/.test(code))
  );
}
