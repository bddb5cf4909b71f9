/** The types of one operation, as the API document describes them. */
export interface Operation<Data, Answer, Errors> {
  readonly data: Data;
  readonly answer: Answer;
  readonly errors: Errors;
}

/** An operation of any types. */
export type AnyOperation = Operation<object, unknown, object>;

/** Method, path and forms of an operation. */
export interface OperationShape {
  readonly method: string;
  /** With the names of parameters in braces. */
  readonly path: string;
  readonly body?: 'json' | 'form' | 'bytes';
  /** True if repeated requests with one `Idempotency-Key` have the effect of one. */
  readonly repeatable?: boolean;
}
