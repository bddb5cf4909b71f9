import type { ParsedDocument } from '#ingest';

import { type ArtifactOptions, decodeArtifact, encodeArtifact } from './artifact.codec.js';

type Described = Omit<ParsedDocument, 'text'>;

/** Encodes the output of the parse stage: documents as text with their language. */
export function encodeTextPart(
  documents: readonly ParsedDocument[],
  options?: ArtifactOptions,
): Uint8Array {
  const described = documents.map(({ path, kind, language, marks, headings }): Described => ({
    path,
    kind,
    language,
    ...(marks && { marks }),
    ...(headings && { headings }),
  }));
  return encodeArtifact(
    described,
    documents.map(({ text }) => Buffer.from(text)),
    options,
  );
}

export function decodeTextPart(bytes: Uint8Array): readonly ParsedDocument[] {
  const { header, sections } = decodeArtifact<readonly Described[]>(bytes);
  return header.map((document, index) => ({ ...document, text: textOf(sections[index]) }));
}

function textOf(section: Uint8Array | undefined): string {
  return section
    ? Buffer.from(section.buffer, section.byteOffset, section.byteLength).toString('utf8')
    : '';
}
