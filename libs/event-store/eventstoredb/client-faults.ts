import { FootnoteError, isFootnoteError } from '#contracts';
import { isTimeoutError } from '#platform';

/** Kinds of client errors that are an answer: the same request would get the same answer again. */
const ANSWERS = new Set([
  'wrong-expected-version',
  'stream-not-found',
  'stream-deleted',
  'access-denied',
  'invalid-argument',
  'maximum-append-size-exceeded',
]);

/**
 * gRPC status codes of a rejected or unauthorized login, which the client passes on as an unknown
 * error.
 */
const REFUSED_CODES = new Set<unknown>([7, 16]);

/** gRPC status codes of a missing or lost connection, if the client passes on its raw error. */
const LOST_CODES = new Set([1, 4, 13, 14]);

/** Messages of the client and gRPC if a request never left this process. */
const NEVER_SENT = /No connection established|Name resolution failed|Failed to discover/;

/**
 * Returns the kind of a client error, such as `wrong-expected-version`; null for any other error.
 */
export function faultKind(error: unknown): string | null {
  return error instanceof Error && 'type' in error && typeof error.type === 'string'
    ? error.type
    : null;
}

/** Reports whether the server answered finally: neither waiting nor another connection helps. */
export function isAnswer(error: unknown): boolean {
  const kind = faultKind(error);
  return (
    kind !== null &&
    (ANSWERS.has(kind) || REFUSED_CODES.has((error as { readonly code?: unknown }).code))
  );
}

/**
 * Reports whether the server itself gave up on an append, which may not have happened, or may still
 * happen. One cause is an append that repeats another one which is not committed yet. The
 * connection works, and the same append with the same ids and expectation succeeds a moment later.
 * In the newer call this kind has no status code; with a code, the client timed out.
 */
export function isServerTimeout(error: unknown): boolean {
  const kind = faultKind(error);
  if (kind === 'timeout') return true;
  return kind === 'deadline-exceeded' && (error as { readonly code?: unknown }).code === undefined;
}

/** Reports whether the server rejects this user or this operation. */
export function isRefusedLogin(error: unknown): boolean {
  return (
    faultKind(error) === 'access-denied' ||
    (isAnswer(error) && REFUSED_CODES.has((error as { code?: unknown }).code))
  );
}

/** Reports whether this node is not the leader; the client sends its next request to the leader. */
export function isNotLeader(error: unknown): boolean {
  return faultKind(error) === 'not-leader';
}

/** Reports whether the request certainly never reached the server. */
export function wasNeverSent(error: unknown): boolean {
  return error instanceof Error && NEVER_SENT.test(error.message);
}

/** Reports whether no node of a cluster was found, for any reason. */
export function isUndiscovered(error: unknown): boolean {
  const cause = isFootnoteError(error) ? error.cause : error;
  return cause instanceof Error && cause.message.startsWith('Failed to discover');
}

/**
 * Reports whether the connection is lost or the server does not answer, so that the same request
 * may succeed later.
 */
export function isLost(error: unknown): boolean {
  if (isAnswer(error) || isFootnoteError(error)) return false;
  if (faultKind(error) !== null || isTimeoutError(error) || wasNeverSent(error)) return true;
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'number' &&
    LOST_CODES.has(error.code)
  );
}

/** Returns `engine_unavailable` for an unreachable engine; any other error unchanged. */
export function asUnavailable(error: unknown): unknown {
  if (!isLost(error)) return error;
  return new FootnoteError(
    'engine_unavailable',
    'The event store is unavailable; repeat the request',
    {
      retryAfter: 1,
      cause: error,
    },
  );
}
