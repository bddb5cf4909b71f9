import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** Injects a signal that aborts when the client goes away before it was answered. */
export const ClientGone = createParamDecorator(
  (_: unknown, context: ExecutionContext): AbortSignal => {
    const { raw } = context.switchToHttp().getResponse<FastifyReply>();
    const gone = new AbortController();
    raw.once('close', () => {
      if (!raw.writableFinished) gone.abort();
    });
    return gone.signal;
  },
);
