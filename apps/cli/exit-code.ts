import { ConnectionError, isApiError } from '#client';
import { isFootnoteError } from '#contracts';
import { ERROR_CATALOGUE } from '#contracts';

/** Exit codes of the command line (docs/command-line.md). */
export const EXIT = {
  ok: 0,
  /** No match, refused, job failed, not verified. */
  negative: 1,
  usage: 2,
  notAllowed: 3,
  notFound: 4,
  conflict: 5,
  quota: 6,
  unavailable: 7,
  interrupted: 130,
} as const;

/** Returns the exit code of an error; undefined for one that is a defect of the command line. */
export function exitCodeOf(error: unknown): number | undefined {
  if (error instanceof ConnectionError) return EXIT.unavailable;
  if (isApiError(error)) return ofStatus(error.status);
  if (isFootnoteError(error)) return ofStatus(ERROR_CATALOGUE[error.code].status);
  return undefined;
}

function ofStatus(status: number): number {
  if (status === 401 || status === 403) return EXIT.notAllowed;
  if (status === 404) return EXIT.notFound;
  if (status === 409 || status === 412) return EXIT.conflict;
  if (status === 429) return EXIT.quota;
  return status >= 500 ? EXIT.unavailable : EXIT.usage;
}
