import kafkajs, { type Kafka, type LogEntry } from 'kafkajs';

import { FootnoteError } from '#contracts';
import type { Logger } from '#platform';

import type { KafkaConnection } from './kafka-options.js';

const { Kafka: Client, logLevel } = kafkajs;

/** Seconds after which a caller that found no broker may try again. */
const RETRY_AFTER_S = 5;

/** What brokers call a login that they do not take. */
const REFUSALS = new Set(['UNSUPPORTED_SASL_MECHANISM', 'SASL_AUTHENTICATION_FAILED']);

/**
 * A client that gives up on a request after a few seconds: who needs it for longer tries again
 * itself.
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
    // The client's type ties each mechanism to its own credentials; these three take the same. It
    // writes into what it gets.
    ...(sasl
      ? { sasl: { ...sasl } as { mechanism: 'plain'; username: string; password: string } }
      : {}),
  });
}

/**
 * The client reports each failed attempt as an error; what matters is thrown or supervised, so this
 * is detail.
 */
function forward({ namespace, log }: LogEntry, logger: Logger): void {
  const { message, error, groupId } = log as { message: string; error?: unknown; groupId?: string };
  logger.debug(
    { namespace, group: groupId, error: typeof error === 'string' ? error : undefined },
    message,
  );
}

/** The error that tells a caller to come back later. */
export function kafkaUnavailable(what: 'work queue' | 'event feed', cause: unknown): FootnoteError {
  return new FootnoteError('engine_unavailable', `The ${what} is away; try again later.`, {
    retryAfter: RETRY_AFTER_S,
    cause,
  });
}

/** Whether the brokers said, in whatever wrapping, that they do not know the topic. */
export function isUnknownTopic(error: unknown): boolean {
  return causesOf(error).some(
    (cause) => 'type' in cause && cause.type === 'UNKNOWN_TOPIC_OR_PARTITION',
  );
}

/**
 * What the brokers said when they did not let this client sign in; undefined when they said
 * something else.
 */
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
