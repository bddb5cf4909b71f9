import type { FastifyInstance, FastifyRequest } from 'fastify';

import { SCIP_LIMITS } from '#code-search/scip/scip-limits';
import { FootnoteError } from '#contracts';

import { bodyTooLarge } from './json-body.js';

/** Content types of a SCIP index. */
export const SCIP_CONTENT_TYPES = ['application/x-protobuf', 'application/octet-stream'] as const;
const SCIP_ROUTE = '/sources/:source_id/scip';
/** Largest SCIP index, bytes. */
export const SCIP_BODY_LIMIT = SCIP_LIMITS.bytes;

/**
 * Lets the route for SCIP indexes, and no other, have a body that its handler reads while it
 * arrives. Who may not upload is rejected before any of it is read.
 */
export function useScipBodies(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    if (route.url === SCIP_ROUTE && route.method === 'PUT') route.bodyLimit = SCIP_BODY_LIMIT;
  });
  for (const type of SCIP_CONTENT_TYPES)
    server.addContentTypeParser(type, async (request: FastifyRequest) => {
      if (isScipUpload(request)) return undefined;
      throw new FootnoteError('unsupported_media_type', 'Content-Type must be application/json');
    });
  server.addHook('preParsing', async (request, _, payload) => {
    if (!isScipUpload(request)) return payload;
    const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
    if (!(SCIP_CONTENT_TYPES as readonly (string | undefined)[]).includes(type))
      throw unsupported('Content-Type must be application/x-protobuf');
    if (request.headers['content-encoding'] !== undefined)
      throw unsupported('Content-Encoding is not supported here; send the index as it is');
    return payload;
  });
}

/** Reports whether a request uploads a SCIP index. */
export function isScipUpload(request: FastifyRequest): boolean {
  return request.method === 'PUT' && request.routeOptions.url === SCIP_ROUTE;
}

/** Returns the error for an index that is too large. */
export function scipTooLarge(): FootnoteError {
  return new FootnoteError('body_too_large', bodyTooLarge(SCIP_BODY_LIMIT));
}

function unsupported(message: string): FootnoteError {
  return new FootnoteError('unsupported_media_type', message);
}
