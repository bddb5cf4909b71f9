import { withTimeout } from '#platform';

/** What this needs of the client's streams, whose types are their own. */
export interface ClientStream {
  on(event: 'error', listener: (error: Error) => void): unknown;
  destroy(): unknown;
  [Symbol.asyncIterator](): AsyncIterator<unknown>;
}

export interface PullOptions {
  /** Milliseconds that each item may take while it is waited for; Infinity for no limit. */
  readonly timeoutMs: (received: number) => number;
  /** Ends the call on the server; the stream alone, destroyed, would leave it open. */
  readonly cancel: () => Promise<void>;
  readonly signal?: AbortSignal;
}

/**
 * Takes the items of a stream of the client one by one and in order, holding back the server
 * meanwhile.
 * @throws TimeoutError when an item does not come in time, and what the stream fails with; not
 * after the signal aborts.
 */
export async function* pull<Item>(
  stream: ClientStream,
  options: PullOptions,
): AsyncGenerator<Item, void, undefined> {
  const { signal } = options;
  // The client emits errors also when nobody listens any more; unheard, they would end the process.
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
