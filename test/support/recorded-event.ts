import type { JsonObject, Position, RecordedEvent } from '#contracts';

import { sampleMetadata } from './sample-events.js';

/** Returns an event as a log returns it, with data of a version of its type. */
export function recordedEvent(stored: {
  readonly type: string;
  readonly version: number;
  readonly data: JsonObject;
}): RecordedEvent {
  const { type, version, data } = stored;
  return {
    id: '0190b5e4-7b1d-7000-8000-000000000001',
    type,
    stream: 'sample-1',
    revision: 7n,
    position: '0000000000000000042' as Position,
    recordedAt: new Date('2026-01-02T03:04:06.000Z'),
    data,
    metadata: sampleMetadata(type, { schema_version: version }),
  };
}
