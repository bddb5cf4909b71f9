import { Transform, type TransformCallback } from 'node:stream';

import type { FastifyInstance } from 'fastify';

import { FootnoteError } from '#contracts';

import { networkOf } from '../rate-limits/address-subject.js';
import { BodyBudget, type HeldBody } from './body-budget.js';
import { hasNoBody } from './has-no-body.js';
import { isUpload } from './multipart-body.js';
import { isScipUpload } from './scip-body.js';

/**
 * Maximum number of bytes of bodies without valid credentials in a process. It fits eight of the
 * largest pushes at once, or thousands of usual ones, and is little of the memory that a process
 * has anyway.
 */
export const UNVERIFIED_BODY_BYTES = 64 * 1024 * 1024;

const RETRY_SECONDS = 5;

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts the bodies of requests without valid credentials. */
    bodyBudget: BodyBudget;
  }
}

/**
 * Holds the bodies of requests without valid credentials to a budget: pushes, sign-ins,
 * registrations, and whatever a stranger sends to any other route. Has to come after the rate
 * limits, which look for credentials in the head.
 */
export function useBodyBudget(
  server: FastifyInstance,
  budget = new BodyBudget(UNVERIFIED_BODY_BYTES),
): void {
  server.decorate('bodyBudget', budget);
  server.addHook('preParsing', async (request, reply, payload) => {
    // An upload is read by its handler, which only credentials lead to.
    const isStreamed = isUpload(request) || isScipUpload(request);
    if (hasNoBody(request) || isStreamed || request.rateLimited?.hasCredentials) return payload;
    const body = new CountedBody(budget, networkOf(request.ip));
    reply.raw.once('close', () => {
      body.held.release();
      // Unread bytes are dropped as they arrive, so that the connection's next request is reached.
      payload.unpipe(body);
      payload.resume();
    });
    payload.once('error', (error) => body.destroy(error));
    payload.once('close', () => {
      if (!request.raw.complete) body.destroy(aborted());
    });
    return payload.pipe(body);
  });
}

/**
 * Passes a body on and counts what it passes; given up, it ends with the error that its sender is
 * answered with.
 */
class CountedBody extends Transform {
  readonly held: HeldBody;

  constructor(budget: BodyBudget, network: string) {
    super();
    this.held = budget.begin(network, () => this.destroy(overloaded()));
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.held.grow(chunk.length);
    if (!this.destroyed) done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    this.held.complete();
    done();
  }
}

function overloaded(): FootnoteError {
  const message =
    'Too many request bodies without valid credentials arrive at once; repeat the request';
  return new FootnoteError('overloaded', message, { retryAfter: RETRY_SECONDS });
}

/** As Node reports a sender that went away. */
function aborted(): Error {
  return Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
}
