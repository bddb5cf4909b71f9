import { FootnoteError, isFootnoteError } from '#contracts';

/** SQLite's primary result code for a full disk. */
const SQLITE_FULL = 13;
/** Maximum number of checked causes, because causes may form a cycle. */
const MAX_CAUSES = 8;

/**
 * Reports whether an error of a file operation or of SQLite, or one of its causes, means a full
 * disk or quota.
 */
export function isStorageFull(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth += 1) {
    if (isFootnoteError(cause, 'storage_full')) return true;
    if ('code' in cause && (cause.code === 'ENOSPC' || cause.code === 'EDQUOT')) return true;
    if ('errcode' in cause && (Number(cause.errcode) & 0xff) === SQLITE_FULL) return true;
    cause = cause.cause;
  }
  return false;
}

/**
 * Returns the error unchanged, or `storage_full` for a full disk.
 * @param what is full, such as `The key ring`.
 */
export function asStorageFull(error: unknown, what: string): unknown {
  if (isFootnoteError(error) || !isStorageFull(error)) return error;
  return new FootnoteError('storage_full', `${what} has no room left`, { cause: error });
}
