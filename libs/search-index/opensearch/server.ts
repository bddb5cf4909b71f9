import { Client, errors } from '@opensearch-project/opensearch';

import { FootnoteError } from '#contracts';

export interface ServerRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: object;
  /** JSON documents, one a line; or the lines themselves. */
  readonly lines?: readonly object[] | string;
  /** Milliseconds; by default the server's. */
  readonly timeoutMs?: number;
  /** Statuses that are an answer and not an error. */
  readonly accept?: readonly number[];
  /**
   * How often it is sent again when there was no answer: a connection that the server left shows
   * only in use. Default 1.
   */
  readonly retries?: number;
}

export interface ServerAnswer<T> {
  readonly status: number;
  readonly body: T;
}

/** Part of a search's answer that tells whether it is the whole answer. */
export interface SearchStatus {
  readonly status?: number;
  readonly error?: { readonly type?: string };
  readonly timed_out?: boolean;
  readonly _shards?: { readonly failed: number };
}

/** Statuses of a request that is itself at fault. Any other failure is the server's, and passes. */
const AT_FAULT = new Set([400, 404, 405, 406, 409, 410, 411, 413, 414, 415]);
const AWAY = 'The search engine is away; try again shortly.';
const RETRY_AFTER_SECONDS = 2;

/** One OpenSearch, by HTTP. What it cannot answer wholly and in time is `engine_unavailable`. */
export class SearchServer {
  private readonly client: Client;

  /** @param timeoutMs of a request, in milliseconds */
  constructor(
    url: string,
    private readonly timeoutMs: number,
  ) {
    this.client = new Client({ node: url, maxRetries: 0, requestTimeout: timeoutMs });
  }

  /**
   * @throws FootnoteError `engine_unavailable`; {@link RefusedRequestError} when the request is at
   * fault.
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
   * Runs searches in one request, each over one index. @throws as `request`; also when a search is
   * not answered wholly.
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
 * The request was wrong, which is a defect of ours or of the set-up; trying again changes nothing.
 */
export class RefusedRequestError extends Error {
  constructor(
    readonly status: number,
    /** The server's name for what is wrong; its sentence may quote content and is left out. */
    readonly type: string,
  ) {
    super(`OpenSearch refused a request: ${status} ${type}`);
    this.name = 'RefusedRequestError';
  }
}

export function engineUnavailable(message = AWAY, cause?: unknown): FootnoteError {
  return new FootnoteError('engine_unavailable', message, {
    retryAfter: RETRY_AFTER_SECONDS,
    cause,
  });
}

/** What the server answered that made it `engine_unavailable`: the cause of such an error. */
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
 * Whether the server wanted other credentials, which at the start is the set-up's fault and later
 * may pass.
 */
export function isRefusedLogin(error: Error): boolean {
  const { cause } = error;
  return cause instanceof FailedAnswerError && (cause.status === 401 || cause.status === 403);
}

/** The error of a status that a request, or an item of it, came back with. */
export function errorOfStatus(status: number, type = 'unknown'): Error {
  if (AT_FAULT.has(status) && type !== 'index_not_found_exception')
    return new RefusedRequestError(status, type);
  return engineUnavailable(AWAY, new FailedAnswerError(status, type));
}

/**
 * A search's answer, unless shards failed or time ran out: part of an answer would look like all of
 * it.
 */
function wholeAnswer<T extends SearchStatus>(answer: T): T {
  if (answer.error) throw errorOfStatus(answer.status ?? 500, answer.error.type);
  if (answer.timed_out || (answer._shards?.failed ?? 0) > 0) {
    throw engineUnavailable(AWAY, new Error('OpenSearch answered a search in part'));
  }
  return answer;
}

/** Errors of the client hold the request, which is nobody's to log: only their kind is kept. */
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
