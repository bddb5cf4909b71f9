import {
  type AllStreamResolvedEvent,
  type EventData,
  jsonEvent,
  type JSONEventType,
  type ResolvedEvent,
} from '@eventstore/db-client';

import type {
  EventMetadata,
  JsonObject,
  ProposedEvent,
  RecordedEvent,
  StreamName,
} from '#contracts';

import { InvalidEventError } from '../errors/append-errors.js';
import { formatPosition } from './position.js';

type StoredType = JSONEventType<string, Record<string, unknown>, Record<string, unknown>>;

/**
 * Content size of the largest append that is sent. A server accepts 1 MiB by default and reports
 * its limit. Above the 16 MiB of a message it breaks the connection instead, and so the appends of
 * all others.
 */
const LARGEST_APPEND_BYTES = 15 * 1024 * 1024;

/**
 * Encodes the events of an append for the client.
 * @throws InvalidEventError for data that JSON cannot represent (a bigint, a cycle), because the
 * client would never settle that append. Also for more data than any server accepts.
 */
export function encodeEvents(stream: StreamName, events: readonly ProposedEvent[]): EventData[] {
  const bytes = events.reduce((sum, event) => sum + jsonBytes(event), 0);
  if (bytes > LARGEST_APPEND_BYTES) {
    throw new InvalidEventError(
      `An append to ${stream} of ${bytes} bytes is larger than any server accepts`,
    );
  }
  return events.map(({ id, type, data, metadata }) =>
    jsonEvent<StoredType>({ id, type, data: { ...data }, metadata: { ...metadata } }),
  );
}

function jsonBytes({ type, data, metadata }: ProposedEvent): number {
  try {
    return Buffer.byteLength(JSON.stringify([data, metadata]));
  } catch (error) {
    throw new InvalidEventError(`A ${type} cannot be written as JSON`, { cause: error });
  }
}

/**
 * Decodes a stored event.
 * @returns null for an event that this service did not write: a system event, or one of another
 * program in a shared database.
 */
export function decodeEvent(
  resolved: ResolvedEvent | AllStreamResolvedEvent,
): RecordedEvent | null {
  const { event } = resolved;
  if (!event || isSystem(event) || !event.isJson || !isOurs(event.metadata)) return null;
  return {
    id: event.id,
    type: event.type,
    data: event.data as JsonObject,
    metadata: event.metadata,
    stream: event.streamId as StreamName,
    revision: event.revision,
    position: formatPosition(positionOf(resolved)),
    recordedAt: event.created,
  };
}

/** Returns true for the database's own events. */
export function isSystem(event: { readonly streamId: string; readonly type: string }): boolean {
  return event.streamId.startsWith('$') || event.type.startsWith('$');
}

/** Returns the commit position of an event. */
export function positionOf({
  event,
  commitPosition,
}: ResolvedEvent | AllStreamResolvedEvent): bigint {
  const commit = event?.position?.commit ?? commitPosition;
  if (commit === undefined) throw new Error('EventStoreDB sent an event without a position');
  return commit;
}

function isOurs(metadata: unknown): metadata is EventMetadata {
  if (typeof metadata !== 'object' || metadata === null) return false;
  const { tenant_id, schema_version } = metadata as Partial<EventMetadata>;
  return typeof tenant_id === 'string' && typeof schema_version === 'number';
}
