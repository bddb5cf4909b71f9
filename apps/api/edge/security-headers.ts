import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';

/** Nothing that this service answers is a page that may load or run anything. */
const API_POLICY = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  connectSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  frameAncestors: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  requireTrustedTypesFor: ["'script'"],
};

/** The page that shows the API styles itself inline and writes its own HTML; it shows nothing that users stored. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');

/** Sets the security headers of every answer. */
export function useSecurityHeaders(server: FastifyInstance): void {
  const setHeaders = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: API_POLICY },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    strictTransportSecurity: false,
  });
  server.addHook('onRequest', (request, reply, done) =>
    setHeaders(request.raw, reply.raw, (error) => done(error as Error | undefined)),
  );
  server.addHook('onSend', async (request, reply) => {
    const isDocs = /^\/docs(?:[/?]|$)/.test(request.url);
    if (isDocs) void reply.header('content-security-policy', DOCS_POLICY);
    if (!isDocs && !reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store');
  });
}
