import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { MAX_ADD_CHECKPOINT_BYTES } from '#audit';

import type { Witness } from './witness.js';
import { text, type WitnessAnswer } from './witness-answer.js';

export interface ServeWitnessOptions {
  readonly witness: Pick<Witness, 'addCheckpoint'>;
  readonly host: string;
  /** 0 selects a free one. */
  readonly port: number;
  /** Receives errors of requests. */
  readonly onError: (error: unknown) => void;
}

export interface WitnessServer {
  readonly url: string;
  /** Resolves when running requests are answered. */
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 64;
const LIMITS = { requestTimeout: 10_000, headersTimeout: 10_000, keepAliveTimeout: 30_000 };

/** Serves `POST /add-checkpoint` of a witness. */
export async function serveWitness({
  witness,
  host,
  port,
  onError,
}: ServeWitnessOptions): Promise<WitnessServer> {
  const server = createServer(LIMITS, (request, response) => {
    answer(witness, request)
      .catch((error: unknown) => {
        onError(error);
        return text(500, 'The witness could not store the checkpoint; retry later\n');
      })
      .then(({ status, type, body }) => {
        response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
        response.end(body);
      })
      .catch(onError);
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, host);
  await once(server, 'listening');
  const { address, family, port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
}

async function answer(
  witness: Pick<Witness, 'addCheckpoint'>,
  request: IncomingMessage,
): Promise<WitnessAnswer> {
  if (request.url !== '/add-checkpoint') return text(404, 'The path must be /add-checkpoint\n');
  if (request.method !== 'POST') return text(405, 'The method must be POST\n');
  const body = await readBody(request);
  if (body === null)
    return text(413, `The body must have at most ${MAX_ADD_CHECKPOINT_BYTES} bytes\n`);
  return witness.addCheckpoint(body);
}

/** Reads a body; null if it is too large. The rest of a large body is discarded. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length <= MAX_ADD_CHECKPOINT_BYTES) parts.push(part);
    else parts.length = 0;
    if (length > 16 * MAX_ADD_CHECKPOINT_BYTES) request.destroy();
  }
  return length > MAX_ADD_CHECKPOINT_BYTES ? null : Buffer.concat(parts).toString('utf8');
}
