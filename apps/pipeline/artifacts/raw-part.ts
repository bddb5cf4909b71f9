import type { FetchedDocument, SourceDocumentKind } from '#ingest';

import { decodeArtifact, encodeArtifact } from './artifact.codec.js';

/** The kind defaults to a file. */
type Described = Pick<FetchedDocument, 'path' | 'named' | 'charset'> & {
  readonly kind?: SourceDocumentKind;
};

/** Encodes the output of the fetch stage: documents, byte for byte. */
export function encodeRawPart(documents: readonly FetchedDocument[]): Uint8Array {
  const described = documents.map(({ path, kind, named, charset }): Described => ({
    path,
    ...(kind !== 'file' && { kind }),
    ...(named && { named }),
    ...(charset !== undefined && { charset }),
  }));
  return encodeArtifact(
    described,
    documents.map(({ bytes }) => bytes),
  );
}

export function decodeRawPart(bytes: Uint8Array): readonly FetchedDocument[] {
  const { header, sections } = decodeArtifact<readonly Described[]>(bytes);
  return header.map(({ path, kind = 'file', named, charset }, index): FetchedDocument => ({
    path,
    kind,
    bytes: sections[index] ?? new Uint8Array(),
    ...(named && { named }),
    ...(charset !== undefined && { charset }),
  }));
}
