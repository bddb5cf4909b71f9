import { type DestinationStream, pino } from 'pino';

import { redactedLine } from './redaction.js';

/**
 * A structured logger. The object has fields, the string says what happened; secrets and content
 * are in neither.
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

/** Creates a logger of JSON lines on stdout, or to `destination`, with secrets removed. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service: 'footnote' },
    timestamp: pino.stdTimeFunctions.isoTime,
    // On the finished line, so that fields of errors and their causes are redacted too.
    hooks: { streamWrite: redactedLine },
  };
  return destination ? pino(options, destination) : pino(options);
}

/**
 * A logger for tests and tools. It writes only fatal lines: the process ends with them and would
 * otherwise end without a reason.
 */
export const silentLogger: Logger = createLogger('fatal');

/** Injection token. */
export const LOGGER = Symbol('Logger');
