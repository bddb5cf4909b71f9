import { ApiError } from './api-error.js';
import type { Calls, FullAnswer } from './call.types.js';
import type { ClientOptions } from './client-options.js';
import { OPERATIONS } from './generated/operations.js';
import type { OperationShape } from './operation.types.js';
import { createStreams, type Streams } from './streams/create-streams.js';
import { Transport } from './transport.js';
import { type AnyInput, wireRequest } from './wire-request.js';

/** A client of one service: its operations by group, and its streams. */
export type FootnoteClient = Calls & { readonly streams: Streams };

/** Returns a client; it opens no connection until the first call. */
export function createClient(options: ClientOptions): FootnoteClient {
  const transport = new Transport(options);
  const groups = Object.entries(OPERATIONS).map(([group, shapes]) => {
    const calls = Object.entries(shapes as Readonly<Record<string, OperationShape>>).map(
      ([name, shape]) => [name, callOf(transport, shape)] as const,
    );
    return [group, Object.fromEntries(calls)] as const;
  });
  // The table of shapes and the types of the operations are written from one document.
  const calls = Object.fromEntries(groups) as unknown as Calls;
  return { ...calls, streams: createStreams(transport) };
}

function callOf(transport: Transport, shape: OperationShape) {
  const full = async (input: AnyInput = {}): Promise<FullAnswer<unknown>> => {
    const response = await transport.request(wireRequest(shape, input));
    const { status, headers } = response;
    return { data: await dataOf(response), status, headers };
  };
  const call = async (input?: AnyInput): Promise<unknown> => (await full(input)).data;
  const attempt = async (input?: AnyInput) => {
    try {
      return { ok: true, data: await call(input) };
    } catch (error) {
      if (error instanceof ApiError) return { ok: false, error };
      throw error;
    }
  };
  return Object.assign(call, { full, attempt });
}

/** Returns the body as its content type has it: JSON, text, or bytes as a Blob. */
async function dataOf(response: Response): Promise<unknown> {
  const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
  if (type === '') return undefined;
  if (/^application\/(?:[\w.-]+\+)?json$/.test(type)) return response.json();
  if (type === 'text/plain' || type === 'text/event-stream') return response.text();
  return response.blob();
}
