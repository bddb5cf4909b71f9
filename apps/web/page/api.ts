import type { ErrorView, MeView } from '#contracts/http/index';

const TIMEOUT_MS = 60_000;
/** Longest stream of an answer; research goes on in another one. */
export const STREAM_TIMEOUT_MS = 1_200_000;

/** The address of the service: the page is at `ui/` below it. */
const SERVICE = new URL('../', document.baseURI);

/** Returns the address of a route, for links that the browser follows itself. */
export function serviceAddress(path: string): string {
  return new URL(path, SERVICE).href;
}

/** An error answer of the service, or no answer at all (status 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string | null,
    readonly fields: readonly { readonly field: string; readonly message: string }[] = [],
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message);
  }
}

/** Options of a request. */
export interface CallOptions {
  readonly body?: object | FormData;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Longest wait for the answer and its body; default: a minute. */
  readonly timeoutMs?: number;
  /** An API key in place of the session. */
  readonly key?: string;
}

let csrfToken = '';
let askAgain: (() => Promise<boolean>) | null = null;

/** Takes over the session that the service opened. */
export function takeOverSession(me: MeView | null): void {
  csrfToken = me?.csrf_token ?? '';
}

/** Registers the dialog that asks for the password when the session has ended. */
export function onSessionEnd(ask: (() => Promise<boolean>) | null): void {
  askAgain = ask;
}

/** Calls the service and returns the body of its answer. @throws ApiError */
export async function call<Body>(
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Body> {
  const response = await request(method, path, options);
  return (response.status === 204 ? undefined : await response.json()) as Body;
}

/** An answer with the receipt of its evidence; null if it has none. */
export interface Receipted<Answer> {
  readonly answer: Answer;
  readonly receiptId: string | null;
}

/** Calls the service, and returns the body of its answer with its receipt. @throws ApiError */
export async function callWithReceipt<Answer>(
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Receipted<Answer>> {
  const response = await request(method, path, options);
  const answer = (await response.json()) as Answer;
  return { answer, receiptId: response.headers.get('x-receipt-id') };
}

/**
 * Calls the service. If the session has ended, asks for the password once and repeats the request,
 * so that nothing typed is lost. @throws ApiError for every error answer.
 */
export async function request(
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Response> {
  const response = await send(method, path, options);
  if (response.ok) return response;
  const error = await errorOf(response);
  const isSession = options.key === undefined && csrfToken !== '' && !path.startsWith('auth/');
  if (response.status === 401 && isSession && endsSession(error.code) && askAgain) {
    if (await askAgain()) {
      const again = await send(method, path, options);
      if (again.ok) return again;
      throw await errorOf(again);
    }
  }
  throw error;
}

function endsSession(code: string): boolean {
  return code === 'unauthorized' || code === 'sign_in_required' || code === 'csrf_invalid';
}

async function send(method: string, path: string, options: CallOptions): Promise<Response> {
  const { body, key, signal, timeoutMs = TIMEOUT_MS } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  const isForm = body instanceof FormData;
  try {
    return await fetch(new URL(path, SERVICE), {
      method,
      credentials: key === undefined ? 'same-origin' : 'omit',
      headers: {
        accept: 'application/json',
        ...(body && !isForm && { 'content-type': 'application/json' }),
        ...(key === undefined ? csrfToken && { 'x-csrf-token': csrfToken } : { 'x-api-key': key }),
        ...options.headers,
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    if (timeout.aborted)
      throw new ApiError(0, 'timeout', 'The service did not answer in time', null);
    throw new ApiError(
      0,
      navigator.onLine ? 'unreachable' : 'offline',
      navigator.onLine ? 'The service cannot be reached' : 'This device is offline',
      null,
    );
  }
}

async function errorOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as Partial<ErrorView>;
  const retryAfter = Number(response.headers.get('retry-after'));
  return new ApiError(
    response.status,
    body.code ?? 'unreadable_answer',
    body.error ?? `The service answered ${response.status}`,
    body.request_id ?? response.headers.get('x-request-id'),
    body.details ?? [],
    retryAfter > 0 ? retryAfter : null,
  );
}
