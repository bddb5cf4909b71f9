import type { ErrorCode, ErrorOfCode } from './api-error.js';
import type { Operations } from './generated/operations.js';
import type { AnyOperation, Operation } from './operation.types.js';

/** Settings of one call that are no part of the request. */
export interface CallSettings {
  readonly signal?: AbortSignal;
}

/** The input of an operation: `path`, `query`, `body` and `headers`, as far as it takes them. */
export type InputOf<Op extends AnyOperation> = Omit<Op['data'], 'url'> & CallSettings;

/** The parameters of a call; the input may be left out where the operation needs none. */
export type Parameters<Op extends AnyOperation> =
  Record<never, never> extends InputOf<Op> ? [input?: InputOf<Op>] : [input: InputOf<Op>];

/** The codes of the errors that the document names for an operation. */
export type CodeOf<Op extends AnyOperation> =
  Op extends Operation<object, unknown, infer Errors>
    ? Extract<Errors[keyof Errors] extends { code: infer Code } ? Code : never, ErrorCode>
    : never;

/** An answer with its headers, such as `X-Receipt-Id`. */
export interface FullAnswer<Answer> {
  readonly data: Answer;
  readonly status: number;
  readonly headers: Headers;
}

/** The outcome of a call that does not throw errors of the service. */
export type Outcome<Op extends AnyOperation> =
  | { readonly ok: true; readonly data: Op['answer'] }
  | { readonly ok: false; readonly error: ErrorOfCode<CodeOf<Op>> };

/** An operation as a function. */
export interface Call<Op extends AnyOperation> {
  /**
   * Returns the answer.
   * @throws ApiError for an error of the service; ConnectionError for no answer.
   */
  (...parameters: Parameters<Op>): Promise<Op['answer']>;
  /** Returns the answer with its headers; throws likewise. */
  full(...parameters: Parameters<Op>): Promise<FullAnswer<Op['answer']>>;
  /** Returns the answer or the error of the service; throws ConnectionError for no answer. */
  attempt(...parameters: Parameters<Op>): Promise<Outcome<Op>>;
}

type CallsOf<Group> = {
  readonly [Name in keyof Group]: Group[Name] extends AnyOperation ? Call<Group[Name]> : never;
};

/** The operations of the API as functions, by group. */
export type Calls = { readonly [Group in keyof Operations]: CallsOf<Operations[Group]> };
