import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { FootnoteError } from '#contracts';

/** The routes that take `multipart/form-data`, and nothing else. */
const UPLOAD_ROUTES: readonly string[] = ['/sources/upload', '/chat/upload-pdf'];
/** Bytes of the form besides its file. */
const FORM_BYTES = 64 * 1024;

/**
 * Lets the upload routes, and no other, have a body of parts. It is not read here: who may not
 * upload is refused before any of it is taken.
 * @param maxFileBytes largest file
 */
export function useMultipartBodies(server: FastifyInstance, maxFileBytes: number): void {
  server.addHook('onRequest', async (request) => {
    if (request.is404) return;
    const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
    const isForm = type === 'multipart/form-data';
    if (isUpload(request) && !isForm) {
      throw new FootnoteError(
        'unsupported_media_type',
        'Content-Type must be multipart/form-data, with the file in the part `file`',
      );
    }
    if (!isUpload(request) && isForm) {
      throw new FootnoteError('unsupported_media_type', 'Content-Type must be application/json');
    }
  });
  void server.register(multipart, {
    throwFileSizeLimit: false,
    limits: {
      fieldNameSize: 100,
      fieldSize: 4_096,
      fields: 8,
      files: 1,
      parts: 10,
      headerPairs: 20,
      // One more than is taken: what is cut off here must not pass for a file that fits.
      fileSize: maxFileBytes + 1,
    },
  });
}

/** Returns whether the request is for an upload route. */
export function isUpload(request: FastifyRequest): boolean {
  return request.method === 'POST' && UPLOAD_ROUTES.includes(request.routeOptions.url ?? '');
}

/** Most bytes of an upload's body. */
export function uploadBodyLimit(maxFileBytes: number): number {
  return maxFileBytes + FORM_BYTES;
}

/** A file that is too large. */
export function uploadTooLarge(maxFileBytes: number): FootnoteError {
  return new FootnoteError(
    'body_too_large',
    `The file is larger than ${maxFileBytes} bytes (MAX_UPLOAD_BYTES)`,
  );
}
