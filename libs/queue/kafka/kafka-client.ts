import kafkajs, { type Kafka, type LogEntry } from 'kafkajs';

import { FootnoteError } from '#contracts';
import type { Logger } from '#platform';

import type { KafkaConnection } from './kafka-options.js';

const { Kafka: Client, logLevel } = kafkajs;

/** Seconds after which a caller without a broker may retry. */
const RETRY_AFTER_S = 5;

/** Names of broker errors for a rejected login. */
const REFUSALS = new Set(['UNSUPPORTED_SASL_MECHANISM', 'SASL_AUTHENTICATION_FAILED']);

/**
 * Creates a client that gives up a request after a few seconds; callers that need it for longer
 * retry.
 */
export function kafkaClient({ brokers, clientId, ssl, sasl, logger }: KafkaConnection): Kafka {
  return new Client({
    brokers: [...brokers],
    clientId,
    connectionTimeout: 3_000,
    requestTimeout: 10_000,
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5 },
    logLevel: logLevel.ERROR,
    logCreator: () => (entry) => forward(entry, logger),
    ...(ssl === undefined ? {} : { ssl }),
    // The client's type binds each mechanism to its own credentials; these three take the same. It
    // modifies its input.
    ...(sasl
      ? { sasl: { ...sasl } as { mechanism: 'plain'; username: string; password: string } }
      : {}),
  });
}

/**
 * Logs at debug level: the client reports each failed attempt as an error, and relevant errors are
 * thrown or supervised.
 */
function forward({ namespace, log }: LogEntry, logger: Logger): void {
  const { message, error, groupId } = log as { message: string; error?: unknown; groupId?: string };
  logger.debug(
    { namespace, group: groupId, error: typeof error === 'string' ? error : undefined },
    message,
  );
}

/** Returns the error for callers, who retry later. */
export function kafkaUnavailable(what: 'work queue' | 'event feed', cause: unknown): FootnoteError {
  return new FootnoteError('engine_unavailable', `The ${what} is unavailable; repeat the request`, {
    retryAfter: RETRY_AFTER_S,
    cause,
  });
}

/** Reports whether the brokers said, in any wrapping, that they do not know the topic. */
export function isUnknownTopic(error: unknown): boolean {
  return causesOf(error).some(
    (cause) => 'type' in cause && cause.type === 'UNKNOWN_TOPIC_OR_PARTITION',
  );
}

/** Returns the brokers' message for a rejected login; undefined for anything else. */
export function refusedLogin(error: unknown): Error | undefined {
  return causesOf(error).find(
    (cause) =>
      cause.name === 'KafkaJSSASLAuthenticationError' ||
      ('type' in cause && REFUSALS.has(cause.type as string)),
  );
}

function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let at = error; at instanceof Error && causes.length < 8; at = at.cause) causes.push(at);
  return causes;
}
