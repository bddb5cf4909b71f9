import { Readable } from 'node:stream';

import { type MessageEvent, StreamableFile } from '@nestjs/common';

/** Answer headers of an event stream: nothing may store it, change it or hold it back. */
export const EVENT_STREAM_HEADERS = Object.freeze({
  'cache-control': 'private, no-cache, no-store, no-transform',
  'x-accel-buffering': 'no',
});

/** Reports whether an `Accept` header asks for server-sent events. */
export function acceptsEventStream(accept: string | undefined): boolean {
  return (accept ?? '')
    .split(',')
    .some((range) => range.split(';')[0]?.trim().toLowerCase() === 'text/event-stream');
}

/**
 * Returns messages as the body of an answer. A message is produced when the client has read those
 * before it. So a slow client holds no more than one page of them in memory.
 */
export function eventStreamBody(messages: AsyncIterable<MessageEvent>): StreamableFile {
  const body = Readable.from(encoded(messages), { objectMode: false });
  return new StreamableFile(body, { type: 'text/event-stream' });
}

async function* encoded(messages: AsyncIterable<MessageEvent>): AsyncGenerator<string, void> {
  for await (const { type, id, data, comment } of messages) {
    const lines = [
      ...(comment === undefined ? [] : [`: ${comment}`]),
      ...(type === undefined ? [] : [`event: ${type}`]),
      ...(id === undefined ? [] : [`id: ${id}`]),
      // JSON has no line breaks of its own.
      ...(data === undefined ? [] : [`data: ${JSON.stringify(data)}`]),
    ];
    yield `${lines.join('\n')}\n\n`;
  }
}
