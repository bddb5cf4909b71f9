/**
 * SQLSTATEs of a server that is unavailable, starting, shutting down, out of connections, or slower
 * than the timeouts.
 */
const AWAY = /^(08...|57P..|53300|57014|55P03|25P03)$/;
const CONNECTION = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** Messages of node-postgres without a code. */
const SENTENCES =
  /timeout exceeded|connection terminated|query read timeout|not queryable|connection ended unexpectedly/i;

/**
 * Reports whether an error of node-postgres means that the server is unavailable, instead of that
 * it rejected the statement.
 */
export function isPostgresAway(error: unknown): boolean {
  const { code, message } = facts(error);
  return AWAY.test(code) || CONNECTION.has(code) || SENTENCES.test(message);
}

/** Reports whether the server's disk is full. */
export function isPostgresFull(error: unknown): boolean {
  return facts(error).code === '53100';
}

/** By shape: errors of sockets may come from another realm than this module's. */
function facts(error: unknown): { readonly code: string; readonly message: string } {
  if (typeof error !== 'object' || error === null) return { code: '', message: '' };
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return {
    code: typeof code === 'string' ? code : '',
    message: typeof message === 'string' ? message : '',
  };
}
