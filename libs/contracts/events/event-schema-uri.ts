/**
 * Returns the identifier of the JSON Schema of an event's data. It names no host, so that it is the
 * same in the feed of every installation.
 */
export function eventSchemaUri(type: string, version: number): string {
  return `urn:footnote:event:${type}:${version}`;
}
