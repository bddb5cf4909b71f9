import { QueryFailedError } from 'typeorm';

import { FootnoteError, isFootnoteError } from '#contracts';

/** SQLSTATE classes of an engine that is away, starting, shutting down or out of connections. */
const AWAY = /^(08|57P|53300)/;
const CONNECTION = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH']);

/** Runs work on the read models; an engine that is away becomes `engine_unavailable`, whatever shape its driver gave it. */
export async function onEngine<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asEngineError(error);
  }
}

function asEngineError(error: unknown): unknown {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  if (isFootnoteError(cause)) return cause;
  if (!(cause instanceof Error)) return error;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  const away = AWAY.test(code) || CONNECTION.has(code) || /timeout exceeded|connection terminated/i.test(cause.message);
  if (!away) return error;
  return new FootnoteError('engine_unavailable', 'The read models cannot be reached', { retryAfter: 1, cause });
}
