import { BadAnswerError } from './endpoint-failure.js';

export interface BoundedFetchOptions {
  /** Ends the request at any point, the reading of its body included. */
  readonly signal: AbortSignal;
  /** Longest body that is read. */
  readonly maxBytes: number;
  /** Leaves out the authorization that a client insists on sending. */
  readonly anonymous: boolean;
}

/** A `fetch` for one request: follows no redirect and reads no more than it should. */
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
