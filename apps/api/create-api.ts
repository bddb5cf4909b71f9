import 'reflect-metadata';

import { fastifyCookie } from '@fastify/cookie';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

import { FootnoteError } from '#contracts';
import { NO_TRACER, withTimeout } from '#platform';

import { ApiModule } from './api.module.js';
import { useBodyDeadlines } from './edge/body-deadline.js';
import { useCors } from './edge/cors.js';
import { createAdapter, useRequestIds } from './edge/create-adapter.js';
import { useJsonBodies } from './edge/json-body.js';
import { useMultipartBodies } from './edge/multipart-body.js';
import { usePushBodies } from './edge/raw-push-body.js';
import { useEarlyRefusals } from './edge/refuse-early.js';
import { useScipBodies } from './edge/scip-body.js';
import { securityHeaders, useSecurityHeaders } from './edge/security-headers.js';
import { useBodyBudget } from './edge/use-body-budget.js';
import { useTracing } from './edge/use-tracing.js';
import type { ApiDependencies } from './engines/engines.js';
import { Lifecycle } from './lifecycle/lifecycle.js';
import { NestLog } from './lifecycle/nest-log.js';
import { useAuthorizationChallenge } from './mcp/authorization-challenge.js';
import { ApiMetrics } from './metrics/api-metrics.js';
import { serveOpenApi } from './openapi/serve-openapi.js';
import { PushGate, usePushGate } from './push-hooks/push-gate.js';
import { RateLimits } from './rate-limits/rate-limits.js';
import { useRateLimits } from './rate-limits/use-rate-limits.js';
import { serveApiPage, serveWebUi, WEB_UI_FOLDER } from './web-ui/serve-web-ui.js';

/** Longest wait for requests in flight at a shutdown. */
const DRAIN_MS = 25_000;
/**
 * A connection that falls idle while the server closes is not noticed by itself; it is looked for
 * this often.
 */
const SWEEP_MS = 50;

/**
 * Builds the API over its engines and starts its in-memory state. It does not listen yet and does
 * not wait for that state: `/health/ready` reports when it has caught up. The caller closes the
 * engines, after {@link closeApi}.
 */
export async function createApi(dependencies: ApiDependencies): Promise<NestFastifyApplication> {
  const { trustProxy, publicUrl, corsOrigins, webUi } = dependencies.config.http;
  const headers = securityHeaders({ overHttps: publicUrl?.startsWith('https:') ?? false });
  const adapter = createAdapter({ trustProxy, headers });
  const app = await NestFactory.create<NestFastifyApplication>(
    ApiModule.register(dependencies),
    adapter,
    {
      bodyParser: false,
      logger: new NestLog(dependencies.logger),
      abortOnError: false,
    },
  );
  const server = adapter.getInstance<FastifyInstance>();
  useRequestIds(server);
  useTracing(server, dependencies.tracer ?? NO_TRACER);
  useSecurityHeaders(server, headers);
  useCors(server, corsOrigins);
  useAuthorizationChallenge(server, dependencies.config);
  refuseWhileDraining(server, app.get(Lifecycle));
  useJsonBodies(server);
  usePushBodies(server);
  useScipBodies(server);
  useRateLimits(server, app.get(RateLimits));
  usePushGate(server, app.get(PushGate));
  useEarlyRefusals(server, dependencies.config.limits.maxUploadBytes);
  useBodyDeadlines(server);
  useBodyBudget(server);
  // Cookies are read where a session is looked for, and nowhere else.
  void server.register(fastifyCookie, { hook: false });
  useMultipartBodies(server, dependencies.config.limits.maxUploadBytes);
  app.get(ApiMetrics).observe(server);
  serveOpenApi(app, publicUrl);
  const pages = { folder: WEB_UI_FOLDER, logger: dependencies.logger };
  serveApiPage(server, pages);
  if (webUi) serveWebUi(server, { ...pages, publicUrl });
  await app.init();
  await server.ready();
  return app;
}

/**
 * Ends the API: readiness goes first, streams end with an error frame, new requests get
 * 503, and those in flight have `graceMs` to finish.
 * @param options.graceMs @default 25000
 */
export async function closeApi(
  app: NestFastifyApplication,
  options: { readonly graceMs?: number } = {},
): Promise<void> {
  app.get(Lifecycle).drain();
  const server = app.getHttpServer();
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  try {
    const grace = options.graceMs ?? DRAIN_MS;
    await withTimeout(
      app.close(),
      grace,
      'shutdown: requests were still in flight at the end of the grace period',
    );
  } finally {
    clearInterval(sweep);
    server.closeAllConnections();
  }
}

function refuseWhileDraining(server: FastifyInstance, lifecycle: Lifecycle): void {
  server.addHook('onRequest', async (request, reply) => {
    if (!lifecycle.draining.aborted || request.url.startsWith('/health/')) return;
    void reply.header('connection', 'close');
    throw new FootnoteError('shutting_down', 'The process is shutting down; repeat the request', {
      retryAfter: 2,
    });
  });
}
