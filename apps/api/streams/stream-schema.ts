import { getSchemaPath } from '@nestjs/swagger';

import { EVENT_ID } from './last-event-id.js';

type View = Parameters<typeof getSchemaPath>[0];

/** An event of a stream. */
interface StreamEvent {
  /** Name of its schema. */
  readonly title: string;
  /** Name of the event; undefined for a message without one. */
  readonly event?: string;
  readonly data: View;
  /** Events with an id: each, some or none. */
  readonly id: 'always' | 'some' | 'never';
}

/**
 * Returns the schema of one event of a stream: a choice by its name. OpenAPI 3.1 cannot describe a
 * stream as a sequence of items, so the schema is that of each event.
 */
export function streamOf(events: readonly StreamEvent[]) {
  return {
    description: 'One event of the stream, its `data` decoded.',
    oneOf: events.map(({ title, event, data, id }) => ({
      title,
      type: 'object',
      required: [
        ...(event === undefined ? [] : ['event']),
        ...(id === 'always' ? ['id'] : []),
        'data',
      ],
      properties: {
        ...(event !== undefined && { event: { type: 'string', enum: [event] } }),
        ...(id !== 'never' && { id: { type: 'string', pattern: EVENT_ID.source } }),
        data: { $ref: getSchemaPath(data) },
      },
    })),
  };
}
