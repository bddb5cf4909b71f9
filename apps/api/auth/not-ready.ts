import { FootnoteError } from '#contracts';

/**
 * The answer while this process cannot judge credentials.
 * @param wasReady whether it could before: then it is cut off from its log.
 */
export function serviceNotReady(wasReady: boolean): FootnoteError {
  const why = wasReady ? 'is cut off from its event log' : 'is starting';
  return new FootnoteError('engine_unavailable', `The service ${why}; repeat the request`, {
    retryAfter: 1,
  });
}
