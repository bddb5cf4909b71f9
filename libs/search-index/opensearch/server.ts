import { Client, errors } from '@opensearch-project/opensearch';

import { FootnoteError } from '#contracts';

export interface ServerRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: object;
  /** JSON documents, one per line; or the lines themselves. */
  readonly lines?: readonly object[] | string;
  /** Milliseconds. Default: the server's timeout. */
  readonly timeoutMs?: number;
  /** Statuses that are an answer and not an error. */
  readonly accept?: readonly number[];
  /**
   * Number of repetitions without an answer: a connection that the server closed is detected only
   * in use. Default 1.
   */
  readonly retries?: number;
}

export interface ServerAnswer<T> {
  readonly status: number;
  readonly body: T;
}

/** The part of a search's answer that shows whether it is complete. */
export interface SearchStatus {
  readonly status?: number;
  readonly error?: { readonly type?: string };
  readonly timed_out?: boolean;
  readonly _shards?: { readonly failed: number };
}

/** Statuses of an invalid request. Any other failure is the server's, and temporary. */
const AT_FAULT = new Set([400, 404, 405, 406, 409, 410, 411, 413, 414, 415]);
const AWAY = 'The search engine is unavailable; repeat the request';
const RETRY_AFTER_SECONDS = 2;

/**
 * One OpenSearch server, over HTTP. Missing, late and incomplete answers become
 * `engine_unavailable`.
 */
export class SearchServer {
  private readonly client: Client;

  /** @param timeoutMs of a request, in milliseconds. */
  constructor(
    url: string,
    private readonly timeoutMs: number,
  ) {
    this.client = new Client({ node: url, maxRetries: 0, requestTimeout: timeoutMs });
  }

  /**
   * @throws FootnoteError `engine_unavailable`; {@link RefusedRequestError} for an invalid request.
   */
  async request<T>(request: ServerRequest): Promise<ServerAnswer<T>> {
    const {
      method,
      path,
      query = {},
      body,
      lines,
      timeoutMs = this.timeoutMs,
      accept = [],
      retries = 1,
    } = request;
    try {
      const answer = await this.client.transport.request(
        {
          method,
          path,
          querystring: { ...query },
          ...(body && { body }),
          ...(lines !== undefined && { bulkBody: typeof lines === 'string' ? lines : [...lines] }),
        },
        { requestTimeout: timeoutMs, ignore: [...accept], maxRetries: retries },
      );
      return { status: answer.statusCode ?? 0, body: answer.body as T };
    } catch (error) {
      throw explained(error);
    }
  }

  /**
   * Runs searches in one request, each over one index.
   * @throws the errors of `request`; also if a search is answered incompletely.
   */
  async searches<T extends SearchStatus>(
    index: string,
    searches: readonly { readonly routing: readonly string[]; readonly body: object }[],
  ): Promise<readonly T[]> {
    if (searches.length === 0) return [];
    const lines = searches.flatMap(({ routing, body }) => [
      {
        ...(routing.length > 0 && { routing: routing.join(',') }),
        allow_partial_search_results: false,
      },
      { timeout: `${this.timeoutMs}ms`, ...body },
    ]);
    const { body } = await this.request<{ responses: readonly T[] }>({
      method: 'POST',
      path: `/${index}/_msearch`,
      lines,
    });
    return body.responses.map(wholeAnswer);
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}

/**
 * The request was invalid: a defect of this service or its configuration. Repeating it does not
 * help.
 */
export class RefusedRequestError extends Error {
  constructor(
    readonly status: number,
    /** The server's name of the error; its message may quote content and is omitted. */
    readonly type: string,
  ) {
    super(`OpenSearch rejected a request: ${status} ${type}`);
    this.name = 'RefusedRequestError';
  }
}

export function engineUnavailable(message = AWAY, cause?: unknown): FootnoteError {
  return new FootnoteError('engine_unavailable', message, {
    retryAfter: RETRY_AFTER_SECONDS,
    cause,
  });
}

/** The server's answer that caused `engine_unavailable`. */
class FailedAnswerError extends Error {
  constructor(
    readonly status: number,
    type: string,
  ) {
    super(`OpenSearch answered ${status} ${type}`);
    this.name = 'FailedAnswerError';
  }
}

/**
 * Reports whether the server rejected the credentials. At the start this is a configuration error;
 * later it may be temporary.
 */
export function isRefusedLogin(error: Error): boolean {
  const { cause } = error;
  return cause instanceof FailedAnswerError && (cause.status === 401 || cause.status === 403);
}

/** Returns the error for the status of a request, or of an item in it. */
export function errorOfStatus(status: number, type = 'unknown'): Error {
  if (AT_FAULT.has(status) && type !== 'index_not_found_exception')
    return new RefusedRequestError(status, type);
  return engineUnavailable(AWAY, new FailedAnswerError(status, type));
}

/**
 * Returns a search's answer, unless shards failed or time ran out, because a partial answer would
 * look complete.
 */
function wholeAnswer<T extends SearchStatus>(answer: T): T {
  if (answer.error) throw errorOfStatus(answer.status ?? 500, answer.error.type);
  if (answer.timed_out || (answer._shards?.failed ?? 0) > 0) {
    throw engineUnavailable(AWAY, new Error('OpenSearch answered a search partly'));
  }
  return answer;
}

/**
 * Keeps only the kind of a client error, because such errors contain the request, which must not be
 * logged.
 */
function explained(error: unknown): Error {
  if (error instanceof errors.ResponseError) {
    const body = error.body as { error?: { type?: string } } | undefined;
    return errorOfStatus(error.statusCode ?? 500, body?.error?.type);
  }
  if (error instanceof errors.OpenSearchClientError) {
    return engineUnavailable(AWAY, new Error(`${error.name}: ${error.message}`));
  }
  return error instanceof Error ? error : new Error(String(error));
}
