import { z } from 'zod';

import { EVENT_DEFINITIONS, eventDefinition } from './catalogue.js';
import type { EventDefinition, JsonObject } from './define-event.js';
import { eventSchemaUri } from './event-schema-uri.js';
import { WITHHELD_FIELDS } from './withheld-fields.js';

/** A version of an event type. */
export interface EventVersion {
  readonly type: string;
  readonly version: number;
}

/** Returns every version of every event type, the oldest of a type first. */
export function eventVersions(): readonly EventVersion[] {
  return EVENT_DEFINITIONS.flatMap(({ type, version }) =>
    Array.from({ length: version }, (_, at) => ({ type, version: at + 1 })),
  );
}

/**
 * Returns the JSON Schema (2020-12) of an event's data in the feeds, which withhold fields; null
 * for an unknown type or version.
 */
export function eventSchema({ type, version }: EventVersion): JsonObject | null {
  const schema = schemaOf(eventDefinition(type), version);
  if (!schema) return null;
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  const title = `${type}, version ${version}`;
  return { $schema, $id: eventSchemaUri(type, version), title, ...withoutWithheld(type, rest) };
}

/** Returns the same schema in the dialect of AsyncAPI, which is that of draft 7. */
export function embeddedEventSchema({ type, version }: EventVersion): JsonObject {
  const schema = schemaOf(eventDefinition(type), version);
  if (!schema) throw new RangeError(`${type} has no version ${version}`);
  const converted = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' });
  const members = Object.entries(converted).filter(([name]) => name !== '$schema');
  return withoutWithheld(type, Object.fromEntries(members));
}

function schemaOf(
  definition: EventDefinition<string, unknown> | undefined,
  version: number,
): z.ZodType | undefined {
  return version === definition?.version ? definition.schema : definition?.past[version];
}

function withoutWithheld(type: string, schema: JsonObject): JsonObject {
  const withheld = WITHHELD_FIELDS[type] ?? [];
  const { properties = {}, required = [] } = schema as {
    readonly properties?: JsonObject;
    readonly required?: readonly string[];
  };
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties).filter(([name]) => !withheld.includes(name)),
    ),
    required: required.filter((name) => !withheld.includes(name)),
  };
}
