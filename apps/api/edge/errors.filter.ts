import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { LOGGER, type Logger } from '#platform';

import { errorAnswer } from './error-answer.js';
import { RefusalLog } from './refusal-log.js';
import { RefusedRequests } from './refused-requests.js';
import { ShownOnPage } from './shown-on-page.js';

const SEE_OTHER = 303;

/**
 * Turns everything that is thrown while a request is handled into the one error body. For an error
 * that is {@link ShownOnPage}, it sends the browser to that page.
 */
@Catch()
export class ErrorsFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly refusals: RefusalLog,
    private readonly refused: RefusedRequests,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const error = thrown instanceof ShownOnPage ? thrown.error : thrown;
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const answer = errorAnswer(error, request.id);
    if (answer.status >= 500) {
      const fields = { err: error, request_id: request.id, code: answer.body.code };
      this.logger.error(fields, 'request failed');
    }
    this.refusals.note(request, answer);
    this.refused.note(request, answer, error);
    if (reply.sent || reply.raw.headersSent) return;
    if (thrown instanceof ShownOnPage) {
      void reply.redirect(`${thrown.page}?error=${answer.body.code}`, SEE_OTHER);
      return;
    }
    void reply
      .status(answer.status)
      .headers(answer.headers)
      .type('application/json; charset=utf-8')
      .send(answer.body);
  }
}
