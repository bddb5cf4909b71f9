import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { withTimeout } from '../clock/sleep.js';
import { SharedReading } from '../concurrency/shared-reading.js';
import type { HealthCheck } from './health-check.js';

/** The HTTP content of a process without an API. */
export interface HealthContent {
  /**
   * Runs for `GET /health/ready`, at most once a second for any number of callers; must answer in
   * bounded time.
   */
  readonly checks: () => Promise<readonly HealthCheck[]>;
  /** Prometheus text of `GET /metrics`, created at most once a second. */
  readonly metrics: () => Promise<string>;
}

/** For every answer: none is a page, and none is cached. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const;
/**
 * Neither needs credentials, so their cost for the engines must not grow with the number of
 * callers.
 */
const SHARED = { forMs: 1_000 };
/** Longest wait for metrics, milliseconds, shared by all callers. */
const METRICS_WITHIN_MS = 5_000;

export interface HealthServerOptions {
  readonly host: string;
  /** 0 selects a free one. */
  readonly port: number;
  /**
   * Returns why the process is not ready yet, in a few words; called for each `GET /health/ready`
   * until there is content.
   */
  readonly starting: () => string;
}

export interface HealthServer {
  readonly url: string;
  /** Answers with this content from now on, because the process has started. */
  show(content: HealthContent): void;
  /** Resolves when the port is free again. */
  close(): Promise<void>;
}

/**
 * Serves `/health/live`, `/health/ready` and `/metrics` in the format of the API. Other paths are
 * 404, but 503 until there is content, because an API may listen here later.
 */
export async function serveHealth({
  host,
  port,
  starting,
}: HealthServerOptions): Promise<HealthServer> {
  let content: HealthContent | undefined;
  const server = createServer(
    { requestTimeout: 10_000, headersTimeout: 10_000 },
    (request, response) => {
      for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
      const path = (request.url ?? '').split('?')[0] ?? '';
      const answered = content
        ? answer(request.method ?? '', path, response, content)
        : answerStarting(path, response, starting());
      answered.catch(() => {
        response.writeHead(500).end();
      });
    },
  );
  server.listen(port, host);
  await once(server, 'listening');
  const taken = server.address() as AddressInfo;
  return {
    url: `http://${taken.family === 'IPv6' ? `[${taken.address}]` : taken.address}:${taken.port}`,
    show: ({ checks, metrics }) => {
      const shared = {
        checks: new SharedReading(checks, SHARED),
        metrics: new SharedReading(bounded(metrics), SHARED),
      };
      content = { checks: () => shared.checks.get(), metrics: () => shared.metrics.get() };
    },
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function bounded(metrics: () => Promise<string>): () => Promise<string> {
  return () => withTimeout(metrics(), METRICS_WITHIN_MS, 'The metrics are late; retry later');
}

async function answerStarting(path: string, response: ServerResponse, why: string): Promise<void> {
  switch (path) {
    case '/health/live':
      return json(response, 200, { status: 'ok' });
    case '/health/ready': {
      const checks: readonly HealthCheck[] = [{ name: 'lifecycle', ok: false, detail: why }];
      return json(response, 503, { status: 'not_ready', checks });
    }
    default:
      return json(response, 503, { error: 'The process is starting', code: 'engine_unavailable' });
  }
}

async function answer(
  method: string,
  path: string,
  response: ServerResponse,
  { checks, metrics }: HealthContent,
): Promise<void> {
  if (method !== 'GET' && method !== 'HEAD')
    return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
  switch (path) {
    case '/health/live':
      return json(response, 200, { status: 'ok' });
    case '/health/ready': {
      const found = await checks();
      const ready = found.every(({ ok }) => ok);
      return json(response, ready ? 200 : 503, {
        status: ready ? 'ready' : 'not_ready',
        checks: found,
      });
    }
    case '/metrics':
      return void response
        .writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
        .end(await metrics());
    default:
      return json(response, 404, { error: 'Path not found', code: 'not_found' });
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...(status === 503 ? { 'retry-after': '1' } : {}),
  };
  response.writeHead(status, headers).end(JSON.stringify(body));
}
