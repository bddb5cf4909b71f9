import { pino, type DestinationStream } from 'pino';

/** A structured logger. The object holds fields, the string says what happened; secrets and content never go into either. */
export interface Logger {
  trace(fields: object, message: string): void;
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  fatal(fields: object, message: string): void;
  child(fields: object): Logger;
}

/** Field names whose values never leave the process, wherever they stand in a log object. */
const REDACTED = [
  'authorization',
  'x-api-key',
  'cookie',
  'set-cookie',
  'token',
  'password',
  'key',
  'secret',
  'query',
  'content',
];

/** JSON lines on stdout, or to `destination`. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service: 'footnote' },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: REDACTED.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
      censor: '[redacted]',
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** For tests and tools that want no output. */
export const silentLogger: Logger = createLogger('silent');

/** Injection token. */
export const LOGGER = Symbol('Logger');
