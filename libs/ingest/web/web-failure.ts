import { type FailureDetails, StageFailure } from '#contracts';
import { OutboundRefusedError } from '#platform/http/address-guard';
import { HTTP_TIMEOUTS } from '#platform/http/http-timeouts';
import { tlsFailure } from '#platform/tls/tls-failure';

import { BodyRefusedError } from './decode-body.js';
import { retryAfterMs } from './retry-after.js';

/**
 * Longest wait that is respected, milliseconds. If a host asks for more, the job fails and reports
 * it.
 */
const LONGEST_WAIT_MS = 3_600_000;

/**
 * Returns the failure for a status. A transient one is retried, but not before the time that the
 * host names.
 */
export function statusFailure(
  url: string,
  status: number,
  headers: Readonly<Record<string, string>>,
): StageFailure {
  const details: FailureDetails = { url, status_code: status };
  if (status === 401 || status === 403 || status === 407) {
    return new StageFailure(
      `${url} may not be read without credentials (${status})`,
      false,
      details,
    );
  }
  if (status === 404 || status === 410)
    return new StageFailure(`${url} does not exist`, false, details);
  if (status !== 408 && status !== 429 && status < 500) {
    return new StageFailure(`${url} answered ${status}`, false, details);
  }
  const wait = retryAfterMs(headers['retry-after'], Date.now());
  if (wait === undefined) return new StageFailure(`${url} answered ${status}`, true, details);
  const seconds = Math.ceil(wait / 1_000);
  const message = `${url} answered ${status} and asks to come back in ${seconds} s`;
  return new StageFailure(message, wait <= LONGEST_WAIT_MS, details, { retryAfterMs: wait });
}

/**
 * Returns the failure of a request without a usable response. @param timeoutMs timeout of the
 * request.
 */
export function networkFailure(url: string, error: unknown, timeoutMs: number): StageFailure {
  if (error instanceof StageFailure) return error;
  if (error instanceof OutboundRefusedError) {
    return new StageFailure(`${error.message}: ${url}`, false, { url }, { cause: error });
  }
  if (error instanceof BodyRefusedError) {
    return new StageFailure(
      `${url} ${error.message}`,
      error.passing,
      { url, reason: error.reason },
      { cause: error },
    );
  }
  const broken = tlsFailure(url, error);
  if (broken)
    return new StageFailure(
      broken.message,
      false,
      { url, reason: errorCode(error) },
      { cause: error },
    );
  const reason = errorCode(error);
  const details = { url, reason };
  if (reason === 'ENOTFOUND') {
    return new StageFailure(`The host of ${url} cannot be found`, true, details, { cause: error });
  }
  const waitedMs = reason === 'TimeoutError' ? timeoutMs : TIMEOUTS.get(reason);
  if (waitedMs !== undefined) {
    return new StageFailure(`${url} did not answer within ${waitedMs / 1_000} s`, true, details, {
      cause: error,
    });
  }
  return new StageFailure(`${url} cannot be reached (${reason})`, true, details, { cause: error });
}

/** Returns whether nobody responded in time. */
export function isTimeout({ details }: StageFailure): boolean {
  const reason = details?.['reason'];
  return typeof reason === 'string' && (reason === 'TimeoutError' || TIMEOUTS.has(reason));
}

const TIMEOUTS: ReadonlyMap<string, number> = new Map([
  ['UND_ERR_CONNECT_TIMEOUT', HTTP_TIMEOUTS.connectMs],
  ['UND_ERR_HEADERS_TIMEOUT', HTTP_TIMEOUTS.headersMs],
  ['UND_ERR_BODY_TIMEOUT', HTTP_TIMEOUTS.bodyIdleMs],
]);

/**
 * Returns a system error's code (`ECONNREFUSED`), undici's, or the name of another thrown error.
 */
function errorCode(error: unknown): string {
  for (let at = error, depth = 0; typeof at === 'object' && at !== null && depth < 8; depth += 1) {
    const { code, name, cause } = at as {
      readonly code?: unknown;
      readonly name?: unknown;
      readonly cause?: unknown;
    };
    if (typeof code === 'string') return code;
    if (cause === undefined) return typeof name === 'string' ? name : 'unknown';
    at = cause;
  }
  return 'unknown';
}
