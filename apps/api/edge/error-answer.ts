import { HttpException } from '@nestjs/common';

import {
  ERROR_CATALOGUE,
  type ErrorCode,
  type FieldProblem,
  FootnoteError,
  isFootnoteError,
} from '#contracts';
import { isStorageFull, isTimeoutError, KeyDestroyedError } from '#platform';

import { unauthorized } from '../auth/credentials.js';
import { BODY_TOO_LARGE } from './json-body.js';
import { rateLimitHeaders } from './rate-limit-headers.js';

/** Representation of an error for a client. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly error: string;
    readonly code: ErrorCode;
    readonly details?: readonly FieldProblem[];
    readonly request_id: string;
  };
}

const RETRY_SECONDS = 2;

/** Codes for errors that the framework raises before or around a handler, by their status. */
const BY_STATUS: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  400: ['bad_request', 'The request cannot be read'],
  404: ['not_found', 'Route not found'],
  408: ['request_timeout', 'The request took too long to arrive'],
  413: ['body_too_large', BODY_TOO_LARGE],
  414: ['not_found', 'Route not found'],
  415: ['unsupported_media_type', 'Content-Type must be application/json'],
  431: ['headers_too_large', 'The request head is over the limit'],
  503: ['shutting_down', 'The process is shutting down; repeat the request'],
};

/**
 * The one error body of the service. Nothing of an unexpected error is shown: its request id finds
 * it in the log.
 */
export function errorAnswer(error: unknown, requestId: string): ErrorAnswer {
  const known = toFootnoteError(error);
  const headers: Record<string, string> = {};
  if (known.retryAfter !== undefined) headers['retry-after'] = String(known.retryAfter);
  if (known.rateLimit) Object.assign(headers, rateLimitHeaders(known.rateLimit));
  if (known.status === 401) headers['www-authenticate'] = 'Bearer realm="footnote"';
  return {
    status: known.status,
    headers,
    body: {
      error: known.message,
      code: known.code,
      ...(known.details ? { details: known.details } : {}),
      request_id: requestId,
    },
  };
}

/**
 * Maps anything thrown to an error of the catalogue. Destroyed keys mean that their owner is
 * erased and has no valid credentials.
 */
function toFootnoteError(error: unknown): FootnoteError {
  if (isFootnoteError(error)) {
    return needsRetryAfter(error) ? withRetryAfter(error) : error;
  }
  const status = statusOf(error);
  const mapped = status === undefined ? undefined : BY_STATUS[status];
  if (mapped) {
    const retryAfter =
      ERROR_CATALOGUE[mapped[0]].status === 503 ? { retryAfter: RETRY_SECONDS } : {};
    return new FootnoteError(mapped[0], mapped[1], { cause: error, ...retryAfter });
  }
  if (status !== undefined && status >= 400 && status < 500) {
    return new FootnoteError('bad_request', 'The request cannot be read', { cause: error });
  }
  if (error instanceof KeyDestroyedError) return unauthorized();
  if (isStorageFull(error)) {
    return new FootnoteError('storage_full', 'The disk of the service is full', {
      cause: error,
    });
  }
  if (isTimeoutError(error)) {
    return new FootnoteError(
      'engine_unavailable',
      'An engine did not answer in time; repeat the request',
      {
        cause: error,
        retryAfter: RETRY_SECONDS,
      },
    );
  }
  return new FootnoteError(
    'internal_error',
    'Internal error. Search the logs for this request ID',
    {
      cause: error,
    },
  );
}

function needsRetryAfter(error: FootnoteError): boolean {
  return error.retryAfter === undefined && (error.status === 503 || error.status === 429);
}

function withRetryAfter(error: FootnoteError): FootnoteError {
  return new FootnoteError(error.code, error.message, {
    cause: error,
    retryAfter: RETRY_SECONDS,
    ...(error.details ? { details: error.details } : {}),
  });
}

/**
 * The status that Nest's or Fastify's own errors carry; ours is never read from a foreign object
 * with a status.
 */
function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  if (!(error instanceof Error) || !('code' in error) || !('statusCode' in error)) return undefined;
  // Fastify gives the status 400 to a body whose sender went away in the middle of it.
  const bodyAborted = error.code === 'ECONNRESET' && error.statusCode === 400;
  const fromFastify =
    bodyAborted || (typeof error.code === 'string' && error.code.startsWith('FST_'));
  return fromFastify && typeof error.statusCode === 'number' ? error.statusCode : undefined;
}
