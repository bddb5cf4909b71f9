import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';

/** Largest number of lines, which no client comes near. */
const LARGEST = 999_999_999;

/**
 * Returns a schema without bounds that cost a client tokens and are of no use. They are those of
 * texts that are not empty, and of numbers up to the largest line. Calls are checked in full.
 */
export function withoutTrivialBounds(
  json: StandardSchemaWithJSON<unknown, unknown>['~standard']['jsonSchema'],
): typeof json {
  return {
    input: (options) => concise(json.input(options)) as Record<string, unknown>,
    output: (options) => concise(json.output(options)) as Record<string, unknown>,
  };
}

function concise(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(concise);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(
    ([key, value]) =>
      !(key === 'minLength' && value === 1) && !(key === 'maximum' && value === LARGEST),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, concise(value)]));
}
