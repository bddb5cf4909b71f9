import type { FastifyInstance } from 'fastify';

/** Additional headers that browsers may send and read. */
const ALLOWED_HEADERS = [
  ...['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'Last-Event-ID'],
  ...['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'],
  ...['X-API-Key', 'X-CSRF-Token', 'X-Request-Id'],
].join(', ');
const EXPOSED_HEADERS = [
  ...['ETag', 'Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
  ...['WWW-Authenticate', 'X-Receipt-Id', 'X-Request-Id'],
].join(', ');
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** Seconds that a browser may cache the answer to a preflight. */
const MAX_AGE_SECONDS = 600;

/**
 * Lets pages of exactly these origins call the API from a browser, credentials included. A page of
 * any other origin gets no such header, so that its browser shows it nothing and sends nothing that
 * needs a preflight. Without origins no answer speaks of origins at all. The hook comes after those
 * that set the headers of every answer: a preflight ends here.
 */
export function useCors(server: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const listed = new Set(origins);
  server.addHook('onRequest', async (request, reply) => {
    const { origin, 'access-control-request-method': wanted } = request.headers;
    // On the raw answer: streams write past Fastify.
    reply.raw.setHeader('vary', 'Origin');
    if (origin === undefined || !listed.has(origin)) return undefined;
    reply.raw.setHeader('access-control-allow-origin', origin);
    reply.raw.setHeader('access-control-allow-credentials', 'true');
    reply.raw.setHeader('access-control-expose-headers', EXPOSED_HEADERS);
    if (request.method !== 'OPTIONS' || wanted === undefined) return undefined;
    return reply
      .status(204)
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': ALLOWED_HEADERS,
        'access-control-max-age': String(MAX_AGE_SECONDS),
      })
      .send();
  });
}
