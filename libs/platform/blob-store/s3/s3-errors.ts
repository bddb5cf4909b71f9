import { FootnoteError } from '#contracts';

/** What stores of different makers say when they have no room left. */
const FULL = new Set([
  'InsufficientStorage',
  'QuotaExceeded',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
]);

/** The HTTP status and the code of an answer of the store; neither when there was no answer. */
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
 * `storage_full` when the store has no room, `engine_unavailable` when it refuses, fails, or cannot
 * be reached in time: nothing else is left to a caller than to wait. What came neither from the
 * store nor from the network stays as it is.
 */
export function asBlobStoreError(cause: unknown): unknown {
  const { status, code } = s3Failure(cause);
  if (status === 507 || FULL.has(code))
    return new FootnoteError('storage_full', 'The blob store is full', { cause });
  if (!isOfStoreOrNetwork(cause)) return cause;
  return new FootnoteError('engine_unavailable', 'The blob store cannot be reached', {
    retryAfter: 5,
    cause,
  });
}

/**
 * Answers of the store carry `$metadata`, errors of sockets a `code`, and timeouts tell by their
 * name.
 */
function isOfStoreOrNetwork(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code } = s3Failure(error);
  const isMistake = code === 'TypeError' || code === 'RangeError';
  return (
    !isMistake && ('$metadata' in error || 'code' in error || /^(Timeout|Abort)Error$/.test(code))
  );
}
