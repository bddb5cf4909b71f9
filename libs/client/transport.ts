import { ConnectionError, errorOf, retryAfterOf } from './api-error.js';
import type { ClientOptions } from './client-options.js';
import { pause } from './pause.js';

/** A request as the service receives it. */
export interface WireRequest {
  readonly method: string;
  /** With query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | Blob | undefined;
  /** True if a second request has the effect of one. */
  readonly repeatable: boolean;
  readonly signal: AbortSignal | undefined;
  /** The answer is a stream: the time limit covers its head alone. */
  readonly streams: boolean;
}

/** Statuses of a refusal before any work: such a request may be repeated whatever it asks for. */
const REFUSED: ReadonlySet<number> = new Set([429, 503]);
/** Statuses of gateways, behind which the work may have been done. */
const UNCERTAIN: ReadonlySet<number> = new Set([502, 504]);
const FIRST_WAIT_MS = 250;

/** Sends requests, and repeats those that a repetition can help. */
export class Transport {
  private readonly base: string;
  private readonly send: typeof globalThis.fetch;
  private readonly retries: number;
  private readonly longestWaitMs: number;
  private readonly timeoutMs: number;

  constructor(private readonly options: ClientOptions) {
    this.base = options.url.replace(/\/$/, '');
    this.send = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.retries = options.retries ?? 3;
    this.longestWaitMs = options.longestWaitMs ?? 30_000;
    this.timeoutMs = options.timeoutMs ?? 120_000;
  }

  /**
   * Returns the answer to a request that succeeded.
   * @throws ApiError for an answer of the service that is an error; ConnectionError for no answer.
   */
  async request(request: WireRequest): Promise<Response> {
    for (let attempt = 0; ; attempt += 1) {
      const response = await this.attempt(request).catch((error: unknown) => {
        if (!request.repeatable || attempt >= this.retries || request.signal?.aborted) throw error;
        return null;
      });
      if (response?.ok) return response;
      const waitMs = this.waitBefore(attempt, request, response);
      if (waitMs === null) throw response ? await errorOf(response) : unreachable(this.base);
      await response?.body?.cancel();
      await pause(waitMs, request.signal);
    }
  }

  private async attempt(request: WireRequest): Promise<Response> {
    const limit = request.streams ? headLimit(this.timeoutMs) : wholeLimit(this.timeoutMs);
    const signals = [limit.signal, ...(request.signal ? [request.signal] : [])];
    try {
      return await this.send(`${this.base}${request.path}`, {
        method: request.method,
        headers: this.headersOf(request),
        ...(request.body !== undefined && { body: request.body }),
        redirect: 'error',
        signal: AbortSignal.any(signals),
      });
    } catch (error) {
      if (request.signal?.aborted) throw error;
      throw unreachable(this.base, error);
    } finally {
      limit.headArrived();
    }
  }

  private headersOf({ headers, body }: WireRequest): Record<string, string> {
    const { apiKey } = this.options;
    return {
      ...this.options.headers,
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      ...headers,
    };
  }

  /** Returns the milliseconds to wait before the next attempt; null if there is to be none. */
  private waitBefore(
    attempt: number,
    { repeatable }: WireRequest,
    response: Response | null,
  ): number | null {
    if (attempt >= this.retries) return null;
    const backoffMs = FIRST_WAIT_MS * 2 ** attempt;
    if (response === null) return backoffMs;
    const again = REFUSED.has(response.status) || (repeatable && UNCERTAIN.has(response.status));
    if (!again) return null;
    const seconds = retryAfterOf(response);
    if (seconds === undefined) return repeatable ? backoffMs : null;
    return seconds * 1_000 > this.longestWaitMs ? null : seconds * 1_000;
  }
}

interface TimeLimit {
  readonly signal: AbortSignal;
  headArrived(): void;
}

/** Returns a limit that ends when the head of the answer arrives. */
function headLimit(milliseconds: number): TimeLimit {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), milliseconds);
  return { signal: limit.signal, headArrived: () => clearTimeout(timer) };
}

/** Returns a limit of the whole answer. */
function wholeLimit(milliseconds: number): TimeLimit {
  return { signal: AbortSignal.timeout(milliseconds), headArrived: () => undefined };
}

function unreachable(url: string, cause?: unknown): ConnectionError {
  return new ConnectionError(`The service at ${url} does not answer`, { cause });
}
