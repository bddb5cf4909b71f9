import { createHash } from 'node:crypto';

import type { Manifest, SourceChunk } from '#contracts';
import type { Chunker, ParsedDocument } from '#ingest';
import { ANALYZER_ID, type LocalModel } from '#retrieval';
import {
  analyzeChunks,
  type AnalyzedPart,
  buildPack,
  type LiveSource,
  type SearchIndex,
} from '#search-index';

/** A repository at one revision. */
export interface IndexedSet {
  readonly name: string;
  readonly revision: string;
  readonly documents: () => readonly ParsedDocument[];
}

/** The tenant of all indexed sets. */
export const TENANT = '00000000-0000-4000-8000-000000000001';

/** A source in the index, and how many chunks it has. */
export type IndexedSource = LiveSource & { readonly chunks: number };

/** Chunks the documents of a set as a sync would and loads them into the index. */
export async function indexSet(
  set: IndexedSet,
  chunker: Chunker,
  index: SearchIndex,
  model: LocalModel,
): Promise<IndexedSource> {
  return indexPart(set, analyzeChunks(chunkSet(set, chunker), model), model, index);
}

/** Chunks the documents of a set as a sync would. */
export function chunkSet(
  { documents }: Pick<IndexedSet, 'documents'>,
  chunker: Chunker,
): SourceChunk[] {
  return documents().flatMap((document) => {
    const { path } = document;
    return chunker
      .chunk(document)
      .map((chunk): SourceChunk => ({ ...chunk, path, chunk_id: idOf(path, chunk.ordinal) }));
  });
}

/** Loads analyzed chunks with their vectors into the index, as a source of their own. */
export async function indexPart(
  { name, revision }: Pick<IndexedSet, 'name' | 'revision'>,
  part: AnalyzedPart,
  { id, dimensions }: Pick<LocalModel, 'id' | 'dimensions'>,
  index: SearchIndex,
): Promise<IndexedSource> {
  return loadPack(packOf({ name, revision }, part, { id, dimensions }), index);
}

/** A pack with its manifest. */
export interface PackedSet {
  readonly manifest: Manifest;
  readonly bytes: Uint8Array;
}

/**
 * Packs analyzed chunks with their vectors, as a source of their own. The id of the source is
 * derived from the name, which may be any text, such as `Newtonsoft.Json`.
 */
export function packOf(
  { name, revision }: Pick<IndexedSet, 'name' | 'revision'>,
  part: AnalyzedPart,
  { id, dimensions }: Pick<LocalModel, 'id' | 'dimensions'>,
): PackedSet {
  const about = {
    tenant_id: TENANT,
    source_id: idOf(name, 0),
    analyzer: ANALYZER_ID,
    embedder: { id, dimensions },
  };
  const pack = buildPack([part], about);
  const hash = createHash('sha256').update(pack.bytes).digest('hex');
  const manifest: Manifest = {
    ...about,
    format: 1,
    generation: 1,
    version_ref: revision,
    recipe: 'quality',
    documents: [],
    packs: [{ hash, chunks: pack.chunkCount, dropped_count: 0 }],
    file_count: pack.documents.length,
    chunk_count: pack.chunkCount,
  };
  return { manifest, bytes: pack.bytes };
}

/** Loads a pack into the index. */
export async function loadPack(
  { manifest, bytes }: PackedSet,
  index: SearchIndex,
): Promise<IndexedSource> {
  await index.applyGeneration(manifest, () => Promise.resolve(bytes));
  const { source_id: sourceId, chunk_count: chunks } = manifest;
  return { tenantId: TENANT, sourceId, generation: 1, chunks };
}

/** An id that a path and an ordinal always give. */
export function idOf(path: string, ordinal: number): string {
  const hex = createHash('sha256').update(`${path}\n${ordinal}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
