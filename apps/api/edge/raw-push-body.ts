import type { FastifyInstance, FastifyRequest } from 'fastify';

import { FootnoteError } from '#contracts';

import { PUSH_ROUTE } from '../auth/push-route.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body of a push as it came, which is what its signature is of. */
    rawPushBody?: Buffer;
  }
}

const PUSH_PATH = /^\/sources\/[^/?]+\/hooks\/push(?:\?|$)/;
/** Largest body of a push, bytes: providers list up to 2,048 commits, with the files of each. */
export const PUSH_BODY_LIMIT = 8 * 1024 * 1024;

/**
 * Gives the push route its own limit, and the forms that GitHub sends by default; has to come
 * before the routes.
 */
export function usePushBodies(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    if (route.url === PUSH_ROUTE) route.bodyLimit = PUSH_BODY_LIMIT;
  });
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      if (keepPushBody(request, bytes)) return undefined;
      throw new FootnoteError('unsupported_media_type', 'Content-Type must be application/json');
    },
  );
}

/**
 * Stores the body of a push unparsed, so that nothing reads it before its signature is checked.
 *
 * @returns false for any other request.
 */
export function keepPushBody(request: FastifyRequest, bytes: Buffer): boolean {
  if (request.routeOptions.url !== PUSH_ROUTE) return false;
  request.rawPushBody = bytes;
  return true;
}

/** The limit for a request of which only the head is known. */
export function bodyLimitOf(request: FastifyRequest, usual: number): number {
  return request.method === 'POST' && PUSH_PATH.test(request.url) ? PUSH_BODY_LIMIT : usual;
}
