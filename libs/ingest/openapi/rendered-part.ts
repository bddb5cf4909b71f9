import type { FetchedDocument } from '../fetch/fetcher.port.js';
import type { ParseResult } from '../parse/parsed-document.js';

/**
 * A part of a specification before indexing: one operation, one schema, or the specification's own
 * description.
 */
export interface RenderedPart {
  /**
   * Pointer to the part in the specification: `#/paths/~1users/get`; empty for the specification as
   * a whole.
   */
  readonly pointer: string;
  /** Symbol that its citations show. */
  readonly symbol: string;
  /** Names that it is looked up by. */
  readonly defs: readonly string[];
  readonly endpoint_key?: string;
  readonly schema_hash?: string;
  /** One text a chunk. */
  readonly texts: readonly string[];
}

/** Content of a part that is stored from the fetch to the chunk stage. */
export type SpecPartText = Omit<RenderedPart, 'pointer'>;

export function encodeSpecPart({
  symbol,
  defs,
  endpoint_key,
  schema_hash,
  texts,
}: RenderedPart): Uint8Array {
  const part = {
    symbol,
    defs,
    endpoint_key,
    schema_hash,
    texts: texts.map((text) => text.replaceAll('\0', '')),
  };
  return Buffer.from(JSON.stringify(part));
}

/** Returns a part as it was fetched: nothing is left to parse, the chunk stage only cuts texts. */
export function parseSpecPart({ path, bytes }: FetchedDocument): ParseResult {
  return { path, kind: 'openapi', language: 'openapi', text: new TextDecoder().decode(bytes) };
}
