/** A blob that is not there. */
export class BlobNotFoundError extends Error {
  readonly code = 'blob_not_found';
  constructor(readonly hash: string) {
    super(`Blob ${hash} is not in the store`);
    this.name = 'BlobNotFoundError';
  }
}

/** A blob whose bytes are not those its name promises. */
export class BlobCorruptError extends Error {
  readonly code = 'blob_corrupt';
  constructor(readonly hash: string) {
    super(`Blob ${hash} does not match its name`);
    this.name = 'BlobCorruptError';
  }
}

export function isBlobNotFound(error: unknown): error is BlobNotFoundError {
  return error instanceof Error && 'code' in error && error.code === 'blob_not_found';
}

/**
 * Whether a read failed because the blob cannot be had: it is not there, or what is there is not
 * it.
 */
export function isBlobGone(error: unknown): error is BlobNotFoundError | BlobCorruptError {
  return (
    isBlobNotFound(error) ||
    (error instanceof Error && 'code' in error && error.code === 'blob_corrupt')
  );
}
