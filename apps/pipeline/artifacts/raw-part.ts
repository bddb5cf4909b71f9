import type { RawDocument } from '#ingest';

import { decodeArtifact, encodeArtifact } from './artifact.codec.js';

/** A file as it was fetched. */
export interface FetchedDocument extends RawDocument {
  readonly named?: true;
}

type Described = Omit<FetchedDocument, 'bytes'>;

/** What the fetch stage leaves: files, byte for byte. */
export function encodeRawPart(documents: readonly FetchedDocument[]): Uint8Array {
  const described = documents.map(({ path, named }): Described => ({ path, ...(named && { named }) }));
  return encodeArtifact(
    described,
    documents.map(({ bytes }) => bytes),
  );
}

export function decodeRawPart(bytes: Uint8Array): readonly FetchedDocument[] {
  const { header, sections } = decodeArtifact<readonly Described[]>(bytes);
  return header.map((document, index) => ({ ...document, bytes: sections[index] ?? new Uint8Array() }));
}
