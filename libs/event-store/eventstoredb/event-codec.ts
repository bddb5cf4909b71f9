import {
  jsonEvent,
  type AllStreamResolvedEvent,
  type EventData,
  type JSONEventType,
  type ResolvedEvent,
} from '@eventstore/db-client';

import type { EventMetadata, JsonObject, ProposedEvent, RecordedEvent, StreamName } from '#contracts';

import { InvalidEventError } from '../errors/invalid-event.error.js';
import { formatPosition } from './position.js';

type StoredType = JSONEventType<string, Record<string, unknown>, Record<string, unknown>>;

/**
 * Turns an event into what the client sends.
 * @throws InvalidEventError for what JSON cannot hold (a bigint, a cycle): the client itself would never settle the append.
 */
export function encodeEvent(event: ProposedEvent): EventData {
  const { id, type, data, metadata } = event;
  try {
    JSON.stringify([data, metadata]);
  } catch (error) {
    throw new InvalidEventError(`A ${type} cannot be written as JSON`, { cause: error });
  }
  return jsonEvent<StoredType>({ id, type, data: { ...data }, metadata: { ...metadata } });
}

/** @returns null for an event that this service did not write: a system event, or a guest's in a shared database. */
export function decodeEvent(resolved: ResolvedEvent | AllStreamResolvedEvent): RecordedEvent | null {
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

/** True for what the database writes for itself. */
export function isSystem(event: { readonly streamId: string; readonly type: string }): boolean {
  return event.streamId.startsWith('$') || event.type.startsWith('$');
}

/** Commit position of an event. */
export function positionOf({ event, commitPosition }: ResolvedEvent | AllStreamResolvedEvent): bigint {
  const commit = event?.position?.commit ?? commitPosition;
  if (commit === undefined) throw new Error('EventStoreDB sent an event without a position');
  return commit;
}

function isOurs(metadata: unknown): metadata is EventMetadata {
  if (typeof metadata !== 'object' || metadata === null) return false;
  const { tenant_id, schema_version } = metadata as Partial<EventMetadata>;
  return typeof tenant_id === 'string' && typeof schema_version === 'number';
}
