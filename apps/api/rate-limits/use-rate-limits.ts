import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { RateLimits } from './rate-limits.js';

/**
 * Routes for monitoring, for the API description and for the page for people. They answer from
 * memory, from files, or with what is computed once a second at most.
 */
const EXEMPT = /^\/(?:health(?:\/|$)|metrics$|(?:openapi|asyncapi)\.json$|(?:docs|ui)(?:\/|$))/;

/**
 * Counts requests when their head is there: before the body is read, and before the push hooks fold
 * a source's stream. Requests that end in 401, 404 or with an unreadable body count too.
 */
export function useRateLimits(server: FastifyInstance, limits: RateLimits): void {
  server.addHook('onRequest', async (request) => {
    if (!isExempt(request)) await limits.admit(request);
  });
  server.addHook('onResponse', async (request, reply) =>
    limits.answered(request, reply.statusCode),
  );
}

/** By the route that was found, so that no path in other words passes for one. */
function isExempt({ routeOptions: { url } }: FastifyRequest): boolean {
  return url !== undefined && EXEMPT.test(url);
}
