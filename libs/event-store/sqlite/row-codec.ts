import type { EventMetadata, JsonObject, ProposedEvent, RecordedEvent, StreamName } from '#contracts';

import type { LogRow, ProposedRow } from './log-protocol.js';
import { formatPosition } from './position.js';

/** @throws TypeError for data that JSON cannot hold (a bigint, a cycle). */
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
