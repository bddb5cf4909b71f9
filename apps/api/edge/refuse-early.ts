import type { Readable } from 'node:stream';

import type { FastifyInstance } from 'fastify';

import { FootnoteError } from '#contracts';

import { bodyTooLarge, JSON_BODY_LIMIT } from './json-body.js';
import { isUpload, uploadBodyLimit, uploadTooLarge } from './multipart-body.js';
import { bodyLimitOf } from './raw-push-body.js';
import { isScipUpload, SCIP_BODY_LIMIT } from './scip-body.js';

/** A body that is refused for its size is read and dropped up to this many bytes, and this long. */
const DRAIN_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 5_000;

/**
 * Rejects, by the head alone, requests that no route accepts. A body that is too large is read to
 * its end before it is rejected. Otherwise the connection closes while the client still writes: the
 * client loses the answer and sees a broken pipe.
 */
export function useEarlyRefusals(server: FastifyInstance, maxUploadBytes: number): void {
  server.addHook('onRequest', async (request, reply) => {
    const { host, 'content-length': declared } = request.headers;
    if (host === undefined && request.raw.httpVersion === '1.1') {
      throw new FootnoteError('bad_request', 'The request has no Host header');
    }
    const length = Number(declared ?? 0);
    const upload = isUpload(request);
    const usual = isScipUpload(request) ? SCIP_BODY_LIMIT : JSON_BODY_LIMIT;
    const limit = upload ? uploadBodyLimit(maxUploadBytes) : bodyLimitOf(request, usual);
    if (length <= limit) return;
    if (length > DRAIN_BYTES || !(await drained(request.raw)))
      void reply.header('connection', 'close');
    throw upload
      ? uploadTooLarge(maxUploadBytes)
      : new FootnoteError('body_too_large', bodyTooLarge(limit));
  });
}

/** Drops what comes. @returns whether the end was reached in time. */
function drained(body: Readable): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => done(false), DRAIN_MS);
    const done = (whole: boolean) => {
      clearTimeout(timer);
      resolve(whole);
    };
    body
      .once('end', () => done(true))
      .once('close', () => done(false))
      .resume();
  });
}
