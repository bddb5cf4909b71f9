import { parseRetryAfterMs } from '@langchain/core/utils/async_caller';

import { type FailureKind, ModelError } from '../model-error.js';

/** What became of a failed request. */
export interface EndpointFailure {
  readonly kind: FailureKind;
  /** A sentence for people, without text, address or credentials. */
  readonly message: string;
  readonly statusCode: number | undefined;
  /** What the endpoint asked for, milliseconds. */
  readonly retryAfterMs: number | undefined;
}

/** An answer that is none: not JSON, cut off, or not what was asked for. */
export class BadAnswerError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BadAnswerError';
  }
}

const NO_KEY = ': it wants a key, or does not accept the one that is configured.';
/** What an operator set wrongly, most likely. */
const WHY_REFUSED = new Map([
  [401, NO_KEY],
  [403, NO_KEY],
  [404, ': it does not know the model that is configured, or its address is another.'],
]);
const TRANSIENT = new Set([408, 409, 425]);
const TOO_LONG = /context[_ ]length|too (long|large|many)|maximum|exceed|longer than/i;
/**
 * What servers say with any status, or in a stream that they had begun, where a prompt is longer
 * than their model reads.
 */
const OVER_CONTEXT =
  /context[_ ](length|size|window)\S*( \S+){0,3} exceed|exceed\S*( \S+){0,3} context[_ ](length|size|window)|exceed_context/i;

/** @param endpoint what messages call it: `embedding endpoint`. */
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
    return of('bad_answer', `The ${endpoint} gave an answer that cannot be read.`);
  }
  const text = error instanceof Error ? error.message : '';
  if (isNamed(error, 'ContextOverflowError') || statusCode === 413 || OVER_CONTEXT.test(text)) {
    return of('too_large', `The ${endpoint} refused a text as too large.`);
  }
  if (statusCode === undefined) return of('transient', `The ${endpoint} did not answer.`);
  const answered = `The ${endpoint} answered with status ${statusCode}`;
  if (statusCode === 429) {
    return /quota|billing|credit/i.test(text)
      ? of('refused', `${answered}: its quota is used up.`)
      : of('limited', `${answered}: too many requests.`);
  }
  if (statusCode >= 500 || TRANSIENT.has(statusCode)) return of('transient', `${answered}.`);
  if ((statusCode === 400 || statusCode === 422) && TOO_LONG.test(text))
    return of('too_large', `${answered}.`);
  return of(
    'refused',
    `${answered}${WHY_REFUSED.get(statusCode) ?? ' and takes no such requests.'}`,
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
