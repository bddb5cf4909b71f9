import type { LoggerService } from '@nestjs/common';

import type { Logger } from '#platform';

/** Nest's own messages as structured lines. Its chatter about wiring is for debugging. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }

  warn(message: unknown, context?: unknown): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, ...more: unknown[]): void {
    this.logger.error({ err: message, context: more.at(-1) }, 'The framework reported an error');
  }

  fatal(message: unknown, ...more: unknown[]): void {
    this.logger.fatal(
      { err: message, context: more.at(-1) },
      'The framework reported a fatal error',
    );
  }

  debug(message: unknown, context?: unknown): void {
    this.logger.trace({ context }, String(message));
  }

  verbose(message: unknown, context?: unknown): void {
    this.logger.trace({ context }, String(message));
  }
}
