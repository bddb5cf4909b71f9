import type { IHeaders, KafkaMessage, Message } from 'kafkajs';

import type { QueueMessage } from '../work-queue.port.js';

/** Maximum size of a body, below the brokers' usual limit of 1 MiB for body, key and headers. */
export const MAX_BODY_BYTES = 1_000_000;

/** @throws RangeError for a body that is too large to publish. */
export function toRecord({ id, key, body }: QueueMessage): Message {
  const value = JSON.stringify(body);
  if (Buffer.byteLength(value) > MAX_BODY_BYTES) {
    throw new RangeError(`A message must have at most ${MAX_BODY_BYTES} bytes`);
  }
  return { key, value, headers: { id } };
}

/**
 * Maximum bytes sent at once: to the brokers, a request's records of one partition are one batch
 * with one limit.
 */
const BATCH_BYTES = 900_000;

/** Divides records, in their order, into requests. */
export function* inBatches(records: readonly Message[]): Generator<Message[]> {
  let batch: Message[] = [];
  let bytes = 0;
  for (const record of records) {
    const size = 200 + (record.value?.length ?? 0) * (typeof record.value === 'string' ? 3 : 1);
    if (batch.length > 0 && bytes + size > BATCH_BYTES) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(record);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

export type ReadRecord =
  | { readonly kind: 'message'; readonly message: QueueMessage }
  | { readonly kind: 'poison'; readonly reason: string };

/** Parses the content of a record, which anybody may have written. */
export function readRecord({
  key,
  value,
  headers,
}: Pick<KafkaMessage, 'key' | 'value' | 'headers'>): ReadRecord {
  const id = header(headers, 'id');
  if (key === null) return poison('It has no key');
  if (value === null) return poison('It has no body');
  if (value.length > MAX_BODY_BYTES)
    return poison(`It has ${value.length} bytes, over the limit of ${MAX_BODY_BYTES}`);
  if (id === undefined || id === '') return poison('It has no id');
  try {
    return {
      kind: 'message',
      message: { id, key: key.toString(), body: JSON.parse(value.toString()) as unknown },
    };
  } catch {
    return poison('Its body is not JSON');
  }
}

/** Position of a record. */
export interface RecordPlace {
  readonly topic: string;
  readonly partition: number;
}

/**
 * Returns the dead letter of a record that could not be handled, with the reason; a body over the
 * limit is omitted.
 */
export function toDeadLetter(
  record: KafkaMessage,
  { topic, partition }: RecordPlace,
  reason: string,
): Message {
  const { key, value, headers, offset } = record;
  return {
    key,
    value: value !== null && value.length <= MAX_BODY_BYTES ? value : null,
    headers: {
      id: header(headers, 'id') ?? `${topic}/${partition}/${offset}`,
      reason,
      topic,
      partition: String(partition),
      offset,
    },
  };
}

/**
 * Returns a dead letter for people; a body that is not JSON is shown as text, its first 1,000
 * characters.
 */
export function readDeadLetter({ key, value, headers }: KafkaMessage): {
  message: QueueMessage;
  reason: string;
} {
  const text = value?.toString() ?? null;
  const message = {
    id: header(headers, 'id') ?? '',
    key: key?.toString() ?? '',
    body: bodyOf(text),
  };
  return { message, reason: header(headers, 'reason') ?? '' };
}

function bodyOf(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text.slice(0, 1_000);
  }
}

function poison(reason: string): ReadRecord {
  return { kind: 'poison', reason };
}

function header(headers: IHeaders | undefined, name: string): string | undefined {
  const value = headers?.[name];
  const first = Array.isArray(value) ? value[0] : value;
  return first?.toString();
}
