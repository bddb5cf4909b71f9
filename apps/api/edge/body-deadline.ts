import type { FastifyInstance } from 'fastify';

import { FootnoteError } from '#contracts';

import { errorAnswer } from './error-answer.js';
import { hasNoBody } from './has-no-body.js';
import { isUpload } from './multipart-body.js';
import { isScipUpload } from './scip-body.js';

/** Longest that a body may take to arrive. */
const BODY_MS = 30_000;
/**
 * The same of an uploaded file: fifty mebibytes at 0.7 Mbit/s. It is the server's own limit of a
 * whole request.
 */
export const UPLOAD_MS = 600_000;

/**
 * Ends a request whose body does not arrive in time; the server itself knows one limit for all,
 * which files need longer.
 */
export function useBodyDeadlines(server: FastifyInstance, bodyMs = BODY_MS): void {
  server.addHook('onRequest', async (request, reply) => {
    if (isUpload(request) || isScipUpload(request) || hasNoBody(request)) return;
    const timer = setTimeout(() => {
      if (request.raw.complete) return;
      // An answered request whose body still drips holds its connection, and nobody reads what
      // comes.
      if (reply.sent) return void request.raw.destroy();
      const late = new FootnoteError('request_timeout', 'The request took too long to arrive');
      const { status, body } = errorAnswer(late, request.id);
      void reply
        .status(status)
        .header('connection', 'close')
        .type('application/json; charset=utf-8')
        .send(body);
    }, bodyMs);
    timer.unref();
    request.raw.once('close', () => clearTimeout(timer));
  });
}
