import type { Conflict } from '#contracts';

/** One description of an endpoint, as a source has it. */
export interface EndpointDescription {
  /** `METHOD /path` */
  readonly endpointKey: string;
  readonly schemaHash: string;
  readonly sourceName: string;
}

/**
 * Returns endpoints that are described with more than one schema, by endpoint key; sources and
 * hashes sorted.
 */
export function findConflicts(descriptions: readonly EndpointDescription[]): Conflict[] {
  const endpoints = new Map<string, EndpointDescription[]>();
  for (const description of descriptions) {
    const known = endpoints.get(description.endpointKey);
    if (known) known.push(description);
    else endpoints.set(description.endpointKey, [description]);
  }
  return [...endpoints.keys()].sort().flatMap((endpointKey) => {
    const group = endpoints.get(endpointKey) ?? [];
    const hashes = distinct(group.map(({ schemaHash }) => schemaHash));
    if (hashes.length < 2) return [];
    const sources = distinct(group.map(({ sourceName }) => sourceName));
    const description = `${endpointKey} is described with ${hashes.length} different schemas by ${sources.join(', ')}.`;
    return [{ endpoint_key: endpointKey, sources, schema_hashes: hashes, description }];
  });
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}
