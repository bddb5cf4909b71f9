import type { Chunk } from '#contracts';

import { finishChunks } from '../chunk/finish-chunks.js';
import { LineTable } from '../chunk/line-table.js';
import type { FetchedDocument } from '../fetch/fetcher.port.js';
import type { ParseResult } from '../parse/parsed-document.js';

/** What a specification is cut into before anything is indexed: one operation, one schema, or what it says of itself. */
export interface RenderedPart {
  /** Where it lies in the specification: `#/paths/~1users/get`; empty for the specification as a whole. */
  readonly pointer: string;
  /** What its citations show. */
  readonly symbol: string;
  /** Names that it is looked up by. */
  readonly defs: readonly string[];
  readonly endpoint_key?: string;
  readonly schema_hash?: string;
  /** One text a chunk. */
  readonly texts: readonly string[];
}

/** What is kept of a part from the fetch to the chunk stage. */
type SpecPartText = Omit<RenderedPart, 'pointer'>;

export function encodeSpecPart({ symbol, defs, endpoint_key, schema_hash, texts }: RenderedPart): Uint8Array {
  const part = { symbol, defs, endpoint_key, schema_hash, texts: texts.map((text) => text.replaceAll('\0', '')) };
  return Buffer.from(JSON.stringify(part));
}

/** A part was read with the specification; only its words are to be cut. */
export function parseSpecPart({ path, bytes }: FetchedDocument): ParseResult {
  return { path, kind: 'openapi', language: 'openapi', text: new TextDecoder().decode(bytes) };
}

/** The chunks of a part: the texts that it was laid out in, cut again only where one has too many tokens. */
export function specChunks(text: string): Chunk[] {
  const { symbol, defs, endpoint_key, schema_hash, texts } = JSON.parse(text) as SpecPartText;
  const chunks: Chunk[] = [];
  for (const laidOut of texts) {
    const lines = new LineTable(laidOut);
    const cut = finishChunks(lines, [{ first: 0, last: lines.count - 1 }], {
      chunk_type: 'openapi',
      language: 'openapi',
      counted: false,
      names: () => ({ symbol, defs: [] }),
    });
    for (const chunk of cut) {
      chunks.push({
        ...chunk,
        ordinal: chunks.length,
        // Whoever names it is sent to where it begins.
        defs: chunks.length === 0 ? defs : [],
        ...(endpoint_key !== undefined && { endpoint_key }),
        ...(schema_hash !== undefined && { schema_hash }),
      });
    }
  }
  return chunks;
}
