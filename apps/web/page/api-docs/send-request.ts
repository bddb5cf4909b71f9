import type { MeView } from '#contracts/http/index';

const TIMEOUT_MS = 60_000;
const MOST_CHARACTERS = 200_000;
const SAFE = ['get', 'head'];

/** A request of the page of the API. */
export interface ApiRequest {
  readonly service: URL;
  readonly method: string;
  /** Relative to the service. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty: the session of the browser. */
  readonly apiKey: string;
  readonly body: string | FormData | undefined;
}

/** An answer as the page shows it. */
export interface Sent {
  /** Status with its phrase; the reason where there is no answer. */
  readonly status: string;
  readonly type: string;
  readonly milliseconds: number;
  readonly text: string;
  readonly isCut: boolean;
}

/** Sends a request, and returns its answer or why there is none. Waits at most 60 s. */
export async function sendRequest(request: ApiRequest): Promise<Sent> {
  const started = performance.now();
  const milliseconds = () => performance.now() - started;
  try {
    const response = await send(request);
    const type = response.headers.get('content-type') ?? '';
    const { text, isCut } = await textOf(response);
    return {
      status: `${response.status} ${response.statusText}`,
      type,
      milliseconds: milliseconds(),
      text: type.includes('json') && !isCut ? indented(text) : text,
      isCut,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      status: `No answer: ${reason}`,
      type: '',
      milliseconds: milliseconds(),
      text: '',
      isCut: false,
    };
  }
}

async function send(request: ApiRequest): Promise<Response> {
  const { service, method, path, apiKey, body } = request;
  const isSafe = SAFE.includes(method);
  const token = isSafe || apiKey !== '' ? '' : await sessionToken(service);
  return fetch(new URL(path, service), {
    method: method.toUpperCase(),
    credentials: apiKey === '' ? 'same-origin' : 'omit',
    headers: {
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      ...(apiKey !== '' && { 'x-api-key': apiKey }),
      ...(token !== '' && { 'x-csrf-token': token }),
      ...request.headers,
    },
    ...(body !== undefined && !isSafe && { body }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

/** Returns the CSRF token of the session; empty without a session. */
async function sessionToken(service: URL): Promise<string> {
  const response = await fetch(new URL('auth/me', service), {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return response.ok ? ((await response.json()) as MeView).csrf_token : '';
}

/** Reads the beginning of an answer, and cancels the rest. */
async function textOf(response: Response): Promise<Pick<Sent, 'text' | 'isCut'>> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (reader) {
    // A stream that never ends is shown as far as it came.
    const { value, done } = await reader.read().catch((error: unknown) => {
      if (text === '') throw error;
      return { value: undefined, done: null };
    });
    if (done === null) return { text, isCut: true };
    if (done) break;
    text += value ?? '';
    if (text.length <= MOST_CHARACTERS) continue;
    await reader.cancel();
    return { text: text.slice(0, MOST_CHARACTERS), isCut: true };
  }
  return { text, isCut: false };
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
