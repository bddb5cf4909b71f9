import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

/** One event of a stream, its data decoded. */
export interface StreamFrame {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: Record<string, unknown>;
}

/** Opens a stream and returns once its head is there. */
export async function openStream(
  port: number,
  path: string,
  options: {
    readonly key: string;
    readonly body?: object;
    readonly headers?: Record<string, string>;
  },
): Promise<IncomingMessage> {
  const { key, body, headers } = options;
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
  });
  sent.end(body && JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

/** Reads frames until the stream ends, or until `enough` of them came. */
export async function readFrames(
  response: AsyncIterable<unknown>,
  enough = Infinity,
): Promise<StreamFrame[]> {
  const found: StreamFrame[] = [];
  let text = '';
  for await (const chunk of response) {
    text += String(chunk);
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const data = field('data');
      if (data === undefined) continue;
      found.push({
        event: field('event') ?? '',
        id: field('id'),
        data: JSON.parse(data) as Record<string, unknown>,
      });
    }
    if (found.length >= enough) break;
  }
  return found;
}
