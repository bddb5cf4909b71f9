import { withTimeout } from '#platform';

/** The used part of the client's streams, which have types of their own. */
export interface ClientStream {
  on(event: 'error', listener: (error: Error) => void): unknown;
  destroy(): unknown;
  [Symbol.asyncIterator](): AsyncIterator<unknown>;
}

export interface PullOptions {
  /** Milliseconds that each item may take; Infinity for no limit. */
  readonly timeoutMs: (received: number) => number;
  /** Ends the call on the server; destroying only the stream would leave it open. */
  readonly cancel: () => Promise<void>;
  readonly signal?: AbortSignal;
}

/**
 * Returns the items of a client stream one by one and in order, with back-pressure on the server.
 * @throws TimeoutError if an item does not come in time, and the stream's error; not after the
 * signal aborts.
 */
export async function* pull<Item>(
  stream: ClientStream,
  options: PullOptions,
): AsyncGenerator<Item, void, undefined> {
  const { signal } = options;
  // The client also emits errors when nobody listens any more; without a listener they would end
  // the process.
  stream.on('error', () => undefined);
  const abort = (): void => void stream.destroy();
  signal?.addEventListener('abort', abort);
  const items = stream[Symbol.asyncIterator]() as AsyncIterator<Item>;
  try {
    for (let received = 0; ; received += 1) {
      const limit = options.timeoutMs(received);
      const next = await (limit === Infinity
        ? items.next()
        : withTimeout(items.next(), limit, `EventStoreDB did not answer within ${limit} ms`));
      if (next.done || signal?.aborted) return;
      yield next.value;
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
    options.cancel().catch(() => undefined);
    stream.destroy();
  }
}
