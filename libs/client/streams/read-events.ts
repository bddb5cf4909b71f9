import { EventSourceParserStream } from 'eventsource-parser/stream';

import { ConnectionError } from '../api-error.js';

/** An event as the stream has it, its data not decoded. */
export interface RawEvent {
  readonly event: string | undefined;
  readonly id: string | undefined;
  readonly data: string;
}

/** Largest event, in characters: an answer of Rover with its citations is far below. */
const LARGEST_EVENT = 16 * 1024 * 1024;
/** Longest silence: the service sends a comment every 15 s. */
const LONGEST_SILENCE_MS = 60_000;

/**
 * Yields the events of an answer. Leaving the loop closes the connection.
 * @throws ConnectionError when the connection breaks or is silent for a minute.
 */
export async function* readEvents(
  response: Response,
  onRetry: (milliseconds: number) => void,
): AsyncGenerator<RawEvent, void, undefined> {
  if (response.body === null) return;
  const limit = silenceLimit();
  const reader = response.body
    .pipeThrough(limit.stream)
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .pipeThrough(
      new EventSourceParserStream({ onRetry, onError: 'terminate', maxBufferSize: LARGEST_EVENT }),
    )
    .getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield { event: value.event, id: value.id, data: value.data };
    }
  } catch (error) {
    throw new ConnectionError('The stream broke off', { cause: error });
  } finally {
    limit.stop();
    await reader.cancel().catch(() => undefined);
  }
}

/** Returns a stream that passes bytes on and fails after a silence; `stop` ends the watch. */
function silenceLimit() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restart = (controller: TransformStreamDefaultController<Uint8Array>): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      controller.error(new ConnectionError('The stream is silent'));
    }, LONGEST_SILENCE_MS);
  };
  const stream = new TransformStream<Uint8Array, Uint8Array>({
    start: restart,
    transform(bytes, controller) {
      restart(controller);
      controller.enqueue(bytes);
    },
  });
  return { stream, stop: () => clearTimeout(timer) };
}
