/** A requested blob is missing. */
export class BlobNotFoundError extends Error {
  readonly code = 'blob_not_found';
  constructor(readonly hash: string) {
    super(`Blob ${hash} is not in the store`);
    this.name = 'BlobNotFoundError';
  }
}

/** The bytes of a blob do not match its name. */
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

/** Reports whether a read failed because the blob is missing or damaged. */
export function isBlobGone(error: unknown): error is BlobNotFoundError | BlobCorruptError {
  return (
    isBlobNotFound(error) ||
    (error instanceof Error && 'code' in error && error.code === 'blob_corrupt')
  );
}
