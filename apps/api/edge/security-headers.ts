import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';

/** Nothing that this service answers is a page that may load or run anything. */
const API_POLICY = {
  defaultSrc: ["'none'"],
  objectSrc: ["'none'"],
  frameAncestors: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  requireTrustedTypesFor: ["'script'"],
};

/**
 * The pages load their own files and call the API alone. Text never becomes a script or HTML, since
 * every trusted type is refused.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const YEAR_SECONDS = 31_536_000;

export interface SecurityHeadersOptions {
  /** The outside reaches the service over https alone, and browsers must remember it. */
  readonly overHttps: boolean;
}

/**
 * The security headers of every answer, by their lower-case names, `Cache-Control: no-store` with
 * them: what this service answers is for who asked. They are the same for all, so also for answers
 * that are made before there is a route.
 */
export function securityHeaders({
  overHttps,
}: SecurityHeadersOptions): Readonly<Record<string, string>> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet({
    contentSecurityPolicy: { useDefaults: false, directives: API_POLICY },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: { policy: 'require-corp' },
    strictTransportSecurity: overHttps && { maxAge: YEAR_SECONDS, includeSubDomains: true },
  })(request, response, () => undefined);
  const headers: Record<string, string> = { 'cache-control': 'no-store' };
  for (const [name, value] of Object.entries(response.getHeaders()))
    headers[name.toLowerCase()] = String(value);
  return headers;
}

/**
 * Sets the headers. A route may set others; the pages at `/docs` and `/ui/` have a policy of their
 * own and may be cached.
 */
export function useSecurityHeaders(
  server: FastifyInstance,
  headers: Readonly<Record<string, string>>,
): void {
  server.addHook('onRequest', async (request, reply) => {
    // Streams write past Fastify.
    for (const [name, value] of Object.entries(headers)) reply.raw.setHeader(name, value);
    if (!/^\/(?:docs|ui)(?:[/?]|$)/.test(request.url)) return;
    reply.raw.removeHeader('cache-control');
    reply.raw.setHeader('content-security-policy', PAGE_POLICY);
  });
}
