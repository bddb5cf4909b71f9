import { parseRetryAfterMs } from '@langchain/core/utils/async_caller';

import { type FailureKind, ModelError } from '../model-error.js';

/** The classification of a failed request. */
export interface EndpointFailure {
  readonly kind: FailureKind;
  /** A sentence for people, without text, address or credentials. */
  readonly message: string;
  readonly statusCode: number | undefined;
  /** Pause that the endpoint requested, milliseconds. */
  readonly retryAfterMs: number | undefined;
}

/** An invalid answer: not JSON, cut off, or of another kind. */
export class BadAnswerError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BadAnswerError';
  }
}

const NO_KEY = ': it requires a key, or does not accept the configured one';
/** The most likely configuration error. */
const WHY_REFUSED = new Map([
  [401, NO_KEY],
  [403, NO_KEY],
  [404, ': it does not know the configured model, or its address is wrong'],
]);
const TRANSIENT = new Set([408, 409, 425]);
const TOO_LONG = /context[_ ]length|too (long|large|many)|maximum|exceed|longer than/i;
/**
 * Messages of servers, with any status or within a stream, for a prompt that is longer than the
 * model's context.
 */
const OVER_CONTEXT =
  /context[_ ](length|size|window)\S*( \S+){0,3} exceed|exceed\S*( \S+){0,3} context[_ ](length|size|window)|exceed_context/i;

/** @param endpoint name in messages: `embedding endpoint`. */
export function endpointFailure(error: unknown, endpoint: string): EndpointFailure {
  const statusCode = numberOf(error, 'status');
  const of = (kind: FailureKind, message: string): EndpointFailure => ({
    kind,
    message,
    statusCode,
    retryAfterMs: retryAfterOf(error),
  });
  if (error instanceof ModelError) return of(error.kind, error.message);
  if (error instanceof BadAnswerError || error instanceof SyntaxError) {
    return of('bad_answer', `The ${endpoint} returned an unreadable answer`);
  }
  const text = error instanceof Error ? error.message : '';
  if (isNamed(error, 'ContextOverflowError') || statusCode === 413 || OVER_CONTEXT.test(text)) {
    return of('too_large', `The ${endpoint} rejected a text as too large`);
  }
  if (statusCode === undefined) return of('transient', `The ${endpoint} did not answer`);
  const answered = `The ${endpoint} answered with status ${statusCode}`;
  if (statusCode === 429) {
    return /quota|billing|credit/i.test(text)
      ? of('refused', `${answered}: its quota is used up`)
      : of('limited', `${answered}: too many requests`);
  }
  if (statusCode >= 500 || TRANSIENT.has(statusCode)) return of('transient', answered);
  if ((statusCode === 400 || statusCode === 422) && TOO_LONG.test(text))
    return of('too_large', answered);
  return of(
    'refused',
    `${answered}${WHY_REFUSED.get(statusCode) ?? ' and does not accept such requests'}`,
  );
}

export function asModelError(
  { kind, message, statusCode, retryAfterMs }: EndpointFailure,
  cause: unknown,
): ModelError {
  return new ModelError(message, {
    kind,
    statusCode,
    retryAfter:
      retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(retryAfterMs / 1_000)),
    cause,
  });
}

function retryAfterOf(error: unknown): number | undefined {
  const headers =
    typeof error === 'object' && error !== null && 'headers' in error ? error.headers : undefined;
  if (!(headers instanceof Headers)) return undefined;
  const exact = Number(headers.get('retry-after-ms') ?? NaN);
  return exact >= 0 ? exact : parseRetryAfterMs(headers.get('retry-after'));
}

function numberOf(error: unknown, field: string): number | undefined {
  const value: unknown =
    typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined;
  return typeof value === 'number' ? value : undefined;
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}
