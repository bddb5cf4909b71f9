const MAX_REASON_LENGTH = 300;
/** User and password of a URL that a client quotes. */
const CREDENTIALS = /\/\/[^/\s]*@/g;

/**
 * An engine on a server that a start needs cannot be used; the message names it and the reason, for
 * the operator.
 */
export class EngineStartError extends Error {
  readonly code = 'engine_start_failed';

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'EngineStartError';
  }
}

/** Returns the message of an error, on one line and without credentials. */
export function messageOf(error: unknown): string {
  const { message, code } = factsOf(error);
  // If several addresses all failed, the message is empty and the code says why.
  const said = message || code || error;
  return String(said)
    .replace(CREDENTIALS, '//')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_REASON_LENGTH);
}

/** Returns the innermost cause: for a failed connection, the error of the system. */
export function rootCauseOf(error: unknown): unknown {
  let root = error;
  for (let depth = 0; depth < 8 && factsOf(factsOf(root).cause).message !== undefined; depth += 1) {
    root = factsOf(root).cause;
  }
  return root;
}

/** By shape, because errors of sockets may come from another realm than this module's. */
function factsOf(error: unknown): {
  readonly message?: unknown;
  readonly code?: unknown;
  readonly cause?: unknown;
} {
  return typeof error === 'object' && error !== null ? error : {};
}
