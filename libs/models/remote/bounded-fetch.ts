import { BadAnswerError } from './endpoint-failure.js';

export interface BoundedFetchOptions {
  /** Ends the request at any point, including the read of its body. */
  readonly signal: AbortSignal;
  /** Maximum size of the body. */
  readonly maxBytes: number;
  /** Removes the authorization that a client always sends. */
  readonly anonymous: boolean;
}

/** Creates a `fetch` for one request: it follows no redirect and limits the body. */
export function boundedFetch({ signal, maxBytes, anonymous }: BoundedFetchOptions): typeof fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    if (anonymous) headers.delete('authorization');
    const signals = init?.signal ? [init.signal, signal] : [signal];
    const response = await fetch(input, {
      ...init,
      headers,
      redirect: 'error',
      signal: AbortSignal.any(signals),
    });
    if (!response.body) return response;
    const { status, statusText } = response;
    const body = response.body.pipeThrough(atMost(maxBytes));
    return new Response(body, { status, statusText, headers: response.headers });
  };
}

function atMost(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(part, controller) {
      bytes += part.byteLength;
      if (bytes > maxBytes) controller.error(new BadAnswerError(`longer than ${maxBytes} bytes`));
      else controller.enqueue(part);
    },
  });
}
