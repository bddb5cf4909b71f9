import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { LOGGER, type Logger } from '#platform';

import { errorAnswer } from './error-answer.js';
import { RefusalLog } from './refusal-log.js';
import { RefusedRequests } from './refused-requests.js';

/** Turns everything that is thrown while a request is handled into the one error body. */
@Catch()
export class ErrorsFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly refusals: RefusalLog,
    private readonly refused: RefusedRequests,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
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
    void reply
      .status(answer.status)
      .headers(answer.headers)
      .type('application/json; charset=utf-8')
      .send(answer.body);
  }
}
