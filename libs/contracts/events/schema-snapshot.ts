import type { JsonObject } from './define-event.js';
import { eventSchema, type EventVersion, eventVersions } from './event-schemas.js';
import { schemaBreaks } from './schema-breaks.js';

/** Returns the name of the file of a schema in `docs/schemas`. */
export function schemaFile({ type, version }: EventVersion): string {
  return `${type}.v${version}.json`;
}

/** Returns the schema files of the events as the code has them, by name. */
export function schemaFiles(): ReadonlyMap<string, string> {
  return new Map(
    eventVersions().map((each) => {
      const schema = eventSchema(each);
      if (!schema)
        throw new Error(`${each.type} must have a schema of version ${each.version}: add \`past\``);
      return [schemaFile(each), `${JSON.stringify(schema, null, 2)}\n`];
    }),
  );
}

const REMEDY =
  'raise the version in defineEvent(), keep the old schema as `past` and add an upcaster';

/**
 * Returns the breaking changes between the committed schema files and those of the code, each with
 * its remedy.
 */
export function snapshotBreaks(
  committed: ReadonlyMap<string, string>,
  current: ReadonlyMap<string, string> = schemaFiles(),
): readonly string[] {
  return [...committed].flatMap(([name, text]) => {
    const now = current.get(name);
    if (now === undefined) return [`${name}: the version was removed; ${REMEDY}`];
    const [before, after] = [JSON.parse(text) as JsonObject, JSON.parse(now) as JsonObject];
    return schemaBreaks(before, after).map((change) => `${name}: ${change}; ${REMEDY}`);
  });
}
