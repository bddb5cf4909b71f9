import { boundedFetch } from './bounded-fetch.js';

export interface JsonRequest {
  readonly url: string;
  readonly body: object;
  /** Undefined: the request carries no authorization. */
  readonly apiKey: string | undefined;
  /** Maximum size of the answer. */
  readonly maxBytes: number;
  /** Ends the request at any point, including the read of its answer. */
  readonly signal: AbortSignal;
}

/** An answer with another status than success. Its body is not read: it may repeat the texts. */
class StatusError extends Error {
  constructor(
    readonly status: number,
    readonly headers: Headers,
  ) {
    super(`Status ${status}`);
    this.name = 'StatusError';
  }
}

/**
 * Sends one request and returns the parsed answer. It follows no redirect, which would send the
 * texts elsewhere, and cuts off an endless answer.
 * @throws errors that `endpointFailure` classifies.
 */
export async function postJson({
  url,
  body,
  apiKey,
  maxBytes,
  signal,
}: JsonRequest): Promise<unknown> {
  const anonymous = apiKey === undefined;
  const response = await boundedFetch({ signal, maxBytes, anonymous })(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(!anonymous && { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(body),
  });
  if (response.ok) return response.json();
  await response.body?.cancel();
  throw new StatusError(response.status, response.headers);
}
