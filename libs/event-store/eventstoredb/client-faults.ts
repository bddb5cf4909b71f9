import { FootnoteError, isFootnoteError } from '#contracts';
import { isTimeoutError } from '#platform';

/**
 * Kinds of the client's errors that are an answer: the same request would be answered the same way
 * again.
 */
const ANSWERS = new Set([
  'wrong-expected-version',
  'stream-not-found',
  'stream-deleted',
  'access-denied',
  'invalid-argument',
  'maximum-append-size-exceeded',
]);

/**
 * gRPC status codes of a login that is refused or may not do this, which the client hands on as an
 * unknown error.
 */
const REFUSED_CODES = new Set<unknown>([7, 16]);

/**
 * gRPC status codes of a connection that is not there, or not any more; where the client hands out
 * its raw error.
 */
const LOST_CODES = new Set([1, 4, 13, 14]);

/** What the client and gRPC say when a request never left this process. */
const NEVER_SENT = /No connection established|Name resolution failed|Failed to discover/;

/**
 * The kind of an error of the client, such as `wrong-expected-version`; null for any other error.
 */
export function faultKind(error: unknown): string | null {
  return error instanceof Error && 'type' in error && typeof error.type === 'string'
    ? error.type
    : null;
}

/**
 * The server answered and will not answer otherwise: neither waiting nor another connection helps.
 */
export function isAnswer(error: unknown): boolean {
  const kind = faultKind(error);
  return (
    kind !== null &&
    (ANSWERS.has(kind) || REFUSED_CODES.has((error as { readonly code?: unknown }).code))
  );
}

/**
 * The server itself gave up on an append, without having done it or while it does it: as for one
 * that repeats another which is not committed yet. The connection is sound, and the same append
 * with the same ids and expectation is answered rightly a moment later. By the newer call this kind
 * comes without a status code; with one, it is the client that waited in vain.
 */
export function isServerTimeout(error: unknown): boolean {
  const kind = faultKind(error);
  if (kind === 'timeout') return true;
  return kind === 'deadline-exceeded' && (error as { readonly code?: unknown }).code === undefined;
}

/** The server does not let this user in, or not do this. */
export function isRefusedLogin(error: unknown): boolean {
  return (
    faultKind(error) === 'access-denied' ||
    (isAnswer(error) && REFUSED_CODES.has((error as { code?: unknown }).code))
  );
}

/** This node does not lead; the client goes to the leader with its next request. */
export function isNotLeader(error: unknown): boolean {
  return faultKind(error) === 'not-leader';
}

/** The request certainly never reached the server. */
export function wasNeverSent(error: unknown): boolean {
  return error instanceof Error && NEVER_SENT.test(error.message);
}

/** No node of a cluster could be found, for whatever reason. */
export function isUndiscovered(error: unknown): boolean {
  const cause = isFootnoteError(error) ? error.cause : error;
  return cause instanceof Error && cause.message.startsWith('Failed to discover');
}

/**
 * The connection is lost or the server does not answer: the same request may well succeed later.
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

/** What a caller gets for an engine that is away; any other error as it is. */
export function asUnavailable(error: unknown): unknown {
  if (!isLost(error)) return error;
  return new FootnoteError('engine_unavailable', 'The event store is away; repeat the request.', {
    retryAfter: 1,
    cause: error,
  });
}
