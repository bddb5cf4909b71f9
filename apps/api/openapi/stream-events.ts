import type { OpenAPIObject } from '@nestjs/swagger';

const STREAM_TYPE = 'text/event-stream';

interface EventSchema {
  readonly title: string;
  readonly properties: { readonly event?: { readonly enum: readonly string[] } };
}

/**
 * Moves the events of all streams to `components.schemas`, where a discriminator can name them. A
 * generated client then has a type for each event, and a union of them by `event`.
 */
export function withStreamEvents(document: OpenAPIObject): OpenAPIObject {
  const schemas: Record<string, unknown> = { ...document.components?.schemas };
  for (const { get, post } of Object.values(document.paths)) {
    for (const response of [get, post].flatMap((operation) =>
      Object.values(operation?.responses ?? {}),
    )) {
      const content = (response as { content?: Record<string, { schema?: object }> }).content;
      const stream = content?.[STREAM_TYPE];
      if (!stream?.schema || !('oneOf' in stream.schema)) continue;
      const events = stream.schema.oneOf as readonly EventSchema[];
      for (const { title, ...schema } of events) schemas[title] = schema;
      stream.schema = { ...stream.schema, ...choiceOf(events) };
    }
  }
  document.components = { ...document.components, schemas: schemas as never };
  return document;
}

/** Returns a choice between named schemas, by the event's name if each has one. */
function choiceOf(events: readonly EventSchema[]): object {
  const paths = events.map(({ title }) => `#/components/schemas/${title}`);
  const names = events.flatMap(({ properties }) => properties.event?.enum ?? []);
  return {
    oneOf: paths.map(($ref) => ({ $ref })),
    ...(names.length === events.length && {
      discriminator: {
        propertyName: 'event',
        mapping: Object.fromEntries(names.map((name, at) => [name, paths[at]])),
      },
    }),
  };
}
