import { hash } from 'node:crypto';

import type {
  EventMetadata,
  JsonObject,
  ProposedEvent,
  RecordedEvent,
  StreamName,
} from '#contracts';

import type { LogRow, ProposedRow } from './log-protocol.js';
import { formatPosition } from './position.js';

/** @throws TypeError for data that JSON cannot represent (a bigint, a cycle). */
export function encodeEvent(event: ProposedEvent): ProposedRow {
  return {
    id: event.id,
    type: event.type,
    data: JSON.stringify(event.data),
    metadata: JSON.stringify(event.metadata),
  };
}

export function decodeRow(row: LogRow): RecordedEvent {
  return {
    id: row.id,
    type: row.type,
    data: JSON.parse(row.data) as JsonObject,
    metadata: JSON.parse(row.metadata) as EventMetadata,
    stream: row.stream as StreamName,
    revision: BigInt(row.revision),
    position: formatPosition(row.position),
    recordedAt: new Date(row.recordedAt),
  };
}

/** The hash before the first event. */
export const GENESIS = '0'.repeat(64);

/**
 * Returns the hash of one record, chained to the previous one: SHA-256 over the previous hash and
 * every field, one per line. No field can contain a line break (names are checked on append and
 * JSON text escapes them), so different records have different input.
 */
export function recordHash(previous: string, row: LogRow): string {
  const record = [
    previous,
    row.position,
    row.stream,
    row.revision,
    row.id,
    row.type,
    row.recordedAt,
    row.data,
    row.metadata,
  ].join('\n');
  return hash('sha256', record, 'hex');
}
