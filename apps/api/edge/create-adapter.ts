import { FastifyAdapter } from '@nestjs/platform-fastify';
import type {
  FastifyBaseLogger,
  FastifyHttpOptions,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RawServerDefault,
} from 'fastify';

import { UPLOAD_MS } from './body-deadline.js';
import { answerClientError } from './client-error.js';
import { errorAnswer } from './error-answer.js';
import { JSON_BODY_LIMIT } from './json-body.js';
import { requestIdOf } from './request-id.js';

export interface AdapterOptions {
  /** Networks (CIDR) of the proxies whose forwarded addresses are believed; none: nobody's. */
  readonly trustProxy: readonly string[];
  /** Headers of every response, also of those that are made before a request has a route. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The HTTP server with every wait bounded: Fastify and Node leave bodies and silent connections
 * open for ever by default. A long streaming answer is not cut by any of these.
 */
export function createAdapter(options: AdapterOptions): FastifyAdapter {
  const server: FastifyHttpOptions<RawServerDefault, FastifyBaseLogger> = {
    requestTimeout: UPLOAD_MS,
    connectionTimeout: 60_000,
    keepAliveTimeout: 65_000,
    bodyLimit: JSON_BODY_LIMIT,
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: 16 * 1024,
      requireHostHeader: false,
    },
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    requestIdHeader: false,
    genReqId: (request) => requestIdOf(request.headers),
    logger: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: true,
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    routerOptions: { maxParamLength: 4_096, ignoreTrailingSlash: false, caseSensitive: true },
    frameworkErrors: (error, request: FastifyRequest, reply: FastifyReply) => {
      const answer = errorAnswer(error, request.id);
      void reply
        .status(answer.status)
        .headers({ ...options.headers, ...answer.headers, 'x-request-id': request.id })
        .type('application/json; charset=utf-8')
        .send(answer.body);
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, options.headers),
  };
  return new FastifyAdapter(server);
}

/** Every answer, errors included, carries the request's id. */
export function useRequestIds(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
  });
}
