const LONGEST_REASON = 300;
/** User and password of a URL that a client quotes. */
const CREDENTIALS = /\/\/[^/\s]*@/g;

/**
 * An engine on a server that a start cannot do without; the message names it and says why, for the
 * operator.
 */
export class EngineStartError extends Error {
  readonly code = 'engine_start_failed';

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'EngineStartError';
  }
}

/** What an error says, on one line and without credentials. */
export function messageOf(error: unknown): string {
  const { message, code } = factsOf(error);
  // Of several addresses that all failed, the message is empty and the code tells.
  const said = message || code || error;
  return String(said)
    .replace(CREDENTIALS, '//')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST_REASON);
}

/** The innermost cause: of a connection that failed, what the system said. */
export function rootCauseOf(error: unknown): unknown {
  let root = error;
  for (let depth = 0; depth < 8 && factsOf(factsOf(root).cause).message !== undefined; depth += 1) {
    root = factsOf(root).cause;
  }
  return root;
}

/** By shape: errors of sockets may come from another realm than this module's. */
function factsOf(error: unknown): {
  readonly message?: unknown;
  readonly code?: unknown;
  readonly cause?: unknown;
} {
  return typeof error === 'object' && error !== null ? error : {};
}
