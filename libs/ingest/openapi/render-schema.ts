import type { JsonObject } from './json.js';
import { type LaidOut, layOut } from './layout.js';
import { References } from './references.js';
import { safeMarkdown } from './render-operation.js';
import type { RenderedPart } from './rendered-part.js';
import type { SchemaReader } from './schema-fields.js';

const TRIES = [3, 2, 1, 0].map((depth) => () => depth);

/**
 * Returns a named schema in words, for operations that are too large to include it. Named schemas
 * in it stay names.
 */
export function renderSchema(
  pointer: string,
  schema: JsonObject,
  schemas: SchemaReader,
): { readonly part: RenderedPart; readonly left: LaidOut['left'] } {
  const name = References.schemaName(pointer) ?? pointer;
  // The shape of the schema itself would be its name.
  const shape = schemas.shapeOf(schema, new Set([pointer]));
  const description = safeMarkdown(schemas.descriptionOf(schema));
  const about = [shape.type === 'object' ? '' : `Type: ${shape.type}`, description].filter(
    (line) => line !== '',
  );
  const sections = [{ heading: 'Fields', fields: [...shape.fields()] }];
  const { texts, left } = layOut(
    { title: `# Schema ${name}`, about: about.join('\n\n'), sections },
    TRIES,
    false,
  );
  return { part: { pointer, symbol: name, defs: [name], texts }, left };
}
