import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { CLOCK, type Clock, LOGGER, type Logger } from '#platform';

import { httpContextOf } from '../auth/caller.js';
import type { ErrorAnswer } from './error-answer.js';

/**
 * Lines in one span; further refusals are counted, so that who tries a million keys does not fill
 * the disk.
 */
const MOST_LINES = 20;
const SPAN_MS = 1_000;

/** Codes below 500 that somebody who watches the service wants to know of, besides every 401. */
const TOLD: readonly string[] = ['rate_limited'];

/**
 * Logs requests that were rejected for their credentials or for exceeding a rate limit. A line has
 * request id, address, method, path and code, never what was sent. Beyond {@link MOST_LINES} in a
 * second the next line has the number of omitted lines.
 */
@Injectable()
export class RefusalLog {
  private spanBegan = Number.NEGATIVE_INFINITY;
  private lines = 0;
  private untold = 0;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CLOCK) private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  note(request: FastifyRequest, { status, body }: ErrorAnswer): void {
    if (status !== 401 && !TOLD.includes(body.code)) return;
    const now = this.clock.monotonic();
    if (now - this.spanBegan >= SPAN_MS) {
      this.spanBegan = now;
      this.lines = 0;
    }
    if (this.lines >= MOST_LINES) {
      this.untold += 1;
      return;
    }
    this.lines += 1;
    const { ip, method, path } = httpContextOf(request);
    const fields = {
      request_id: request.id,
      code: body.code,
      ip,
      method,
      path: path.slice(0, 256),
    };
    this.logger.warn(
      { ...fields, ...(this.untold > 0 ? { untold_before: this.untold } : {}) },
      'request rejected',
    );
    this.untold = 0;
  }
}
