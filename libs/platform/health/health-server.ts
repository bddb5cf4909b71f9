import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { HealthCheck } from './health-check.js';

/** What a process without an API tells over HTTP. */
export interface HealthServerOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Run for each `GET /health/ready`; must answer by itself in bounded time. */
  readonly checks: () => Promise<readonly HealthCheck[]>;
  /** Prometheus text of `GET /metrics`. */
  readonly metrics: () => Promise<string>;
}

export interface HealthServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves `/health/live`, `/health/ready` and `/metrics` in the shapes that the API has. */
export async function serveHealth(options: HealthServerOptions): Promise<HealthServer> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) => {
    answer(request.method ?? '', (request.url ?? '').split('?')[0] ?? '', response, options).catch(() => {
      response.writeHead(500).end();
    });
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const { address, port, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(
  method: string,
  path: string,
  response: ServerResponse,
  { checks, metrics }: HealthServerOptions,
): Promise<void> {
  if (method !== 'GET' && method !== 'HEAD') return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
  switch (path) {
    case '/health/live':
      return json(response, 200, { status: 'ok' });
    case '/health/ready': {
      const found = await checks();
      const ready = found.every(({ ok }) => ok);
      return json(response, ready ? 200 : 503, { status: ready ? 'ready' : 'not_ready', checks: found });
    }
    case '/metrics':
      return void response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(await metrics());
    default:
      return json(response, 404, { error: 'There is nothing here', code: 'not_found' });
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...(status === 503 ? { 'retry-after': '1' } : {}),
  };
  response.writeHead(status, headers).end(JSON.stringify(body));
}
