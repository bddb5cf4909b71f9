import type { SourceChunk } from '#contracts';

import { type ArtifactOptions, decodeArtifact, encodeArtifact } from './artifact.codec.js';

type Described = Omit<SourceChunk, 'content'>;

/**
 * Encodes the output of the chunk stage: chunks in document order. Chunks of one document are in
 * one part.
 */
export function encodeChunkPart(
  chunks: readonly SourceChunk[],
  options?: ArtifactOptions,
): Uint8Array {
  const contents = chunks.map(({ content }) => Buffer.from(content));
  return encodeArtifact(chunks.map(described), contents, options);
}

export function decodeChunkPart(bytes: Uint8Array): readonly SourceChunk[] {
  const { header, sections } = decodeArtifact<readonly Described[]>(bytes);
  return header.map((chunk, index) => ({ ...chunk, content: textOf(sections[index]) }));
}

function textOf(section: Uint8Array | undefined): string {
  return section
    ? Buffer.from(section.buffer, section.byteOffset, section.byteLength).toString('utf8')
    : '';
}

function described(chunk: SourceChunk): Described {
  const copy: Described & { content?: string } = { ...chunk };
  delete copy.content;
  return copy;
}
