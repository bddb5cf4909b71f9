import type { ErrorView } from './generated/api.types.js';

/** A code of the error catalogue. */
export type ErrorCode = ErrorView['code'];

/** One field that the service rejected. */
export type FieldProblem = NonNullable<ErrorView['details']>[number];

/** The answer of a failed request. */
interface Failure<Code extends ErrorCode> {
  readonly code: Code;
  readonly status: number;
  readonly message: string;
  readonly details: readonly FieldProblem[];
  readonly requestId: string;
  /** Seconds to wait, where the service names them. */
  readonly retryAfter: number | undefined;
}

/** An error that the service answered with. Unions of it narrow by `code`. */
export class ApiError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'ApiError';
  readonly code: Code;
  readonly status: number;
  readonly details: readonly FieldProblem[];
  /** Finds the request in logs and in the audit trail of the service. */
  readonly requestId: string;
  readonly retryAfter: number | undefined;

  constructor({ code, status, message, details, requestId, retryAfter }: Failure<Code>) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** One type of error for each code. */
export type ErrorOfCode<Code extends ErrorCode> = { [Each in Code]: ApiError<Each> }[Code];

/** No answer of the service: no connection, a time limit, or an answer of something else. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** Returns true for an error of the service, and narrows it to some codes. */
export function isApiError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ErrorOfCode<Code> {
  if (!(error instanceof ApiError)) return false;
  return codes.length === 0 || codes.some((code) => code === (error.code as ErrorCode));
}

/** Returns the error that a failed answer stands for. */
export async function errorOf(response: Response): Promise<ApiError | ConnectionError> {
  const body: unknown = await response.json().catch(() => null);
  if (!isErrorView(body)) {
    return new ConnectionError(
      `The server answered with status ${response.status}, not as Footnote`,
    );
  }
  return new ApiError({
    code: body.code,
    status: response.status,
    message: body.error,
    details: body.details ?? [],
    requestId: body.request_id,
    retryAfter: retryAfterOf(response),
  });
}

/** Returns the seconds of `Retry-After`, also of its form as a date. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : Math.max(0, Math.ceil((time - Date.now()) / 1_000));
}

function isErrorView(body: unknown): body is ErrorView {
  if (typeof body !== 'object' || body === null) return false;
  const { code, error } = body as Partial<ErrorView>;
  return typeof code === 'string' && typeof error === 'string';
}
