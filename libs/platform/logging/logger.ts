import { type DestinationStream, pino } from 'pino';

import { redactedLine } from './redaction.js';

/**
 * A structured logger. The object holds fields, the string says what happened; secrets and content
 * never go into either.
 */
export interface Logger {
  trace(fields: object, message: string): void;
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  fatal(fields: object, message: string): void;
  child(fields: object): Logger;
}

/** JSON lines on stdout, or to `destination`, each with its secrets taken out. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service: 'footnote' },
    timestamp: pino.stdTimeFunctions.isoTime,
    // On the line as it is written: what errors and their causes carry along is judged too.
    hooks: { streamWrite: redactedLine },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** For tests and tools that want no output. */
export const silentLogger: Logger = createLogger('silent');

/** Injection token. */
export const LOGGER = Symbol('Logger');
