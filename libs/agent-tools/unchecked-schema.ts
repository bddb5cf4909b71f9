import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';

import { withoutTrivialBounds } from './concise-schema.js';

type Schema = StandardSchemaWithJSON<unknown, unknown>;
type Describe = Schema['~standard']['jsonSchema']['input'];

/** Schemas that were described: to describe one takes longer than to run a quick tool. */
const known = new WeakMap<z.ZodObject, Schema>();

/**
 * Returns the schema with its description and without its check: the SDK's own error names neither
 * unknown arguments nor the known ones. Calls share the description, which nobody may change.
 */
export function uncheckedSchema(schema: z.ZodObject): Schema {
  const described = known.get(schema) ?? describe(schema);
  known.set(schema, described);
  return described;
}

function describe(schema: z.ZodObject): Schema {
  const standard = schema['~standard'];
  const { input, output } = withoutTrivialBounds(standard.jsonSchema);
  return {
    '~standard': {
      ...standard,
      jsonSchema: { input: once(input), output: once(output) },
      validate: (value: unknown) => ({ value }),
    },
  };
}

/** Returns the same descriptions, each made once for its dialect. */
function once(make: Describe): Describe {
  const made = new Map<string, ReturnType<Describe>>();
  return (options) => {
    const description = made.get(options.target) ?? make(options);
    made.set(options.target, description);
    return description;
  };
}
