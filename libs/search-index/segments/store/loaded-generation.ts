import type { Manifest } from '#contracts';

import { countDropped, decodeDropped, isDropped } from '../../pack/dropped-bitmap.js';
import type { PackMeta } from '../../pack/pack-layout.js';
import type { LiveSource } from '../../search-index.port.js';
import type { SearchedView } from '../scan/searched-view.js';
import type { Segment } from './segment.js';

/** The stored data of a generation: enough to serve it again after a restart. */
export interface GenerationRecord {
  readonly format: 1;
  readonly tenant_id: string;
  readonly source_id: string;
  readonly generation: number;
  readonly analyzer: string;
  readonly embedder: { readonly id: string; readonly dimensions: number };
  readonly packs: readonly {
    readonly hash: string;
    readonly chunks: number;
    readonly dropped?: string;
  }[];
}

export function recordOf(manifest: Manifest): GenerationRecord {
  return {
    format: 1,
    tenant_id: manifest.tenant_id,
    source_id: manifest.source_id,
    generation: manifest.generation,
    analyzer: manifest.analyzer,
    embedder: manifest.embedder,
    packs: manifest.packs.map(({ hash, chunks, dropped }) => ({
      hash,
      chunks,
      ...(dropped !== undefined && { dropped }),
    })),
  };
}

export function sourceOf({ tenant_id, source_id, generation }: GenerationRecord): LiveSource {
  return { tenantId: tenant_id, sourceId: source_id, generation };
}

/** A segment as one generation sees it. */
export interface SegmentView extends SearchedView {
  readonly source: LiveSource;
  readonly segment: Segment;
}

export interface LoadedGeneration {
  readonly source: LiveSource;
  readonly record: GenerationRecord;
  readonly views: readonly SegmentView[];
}

export function generationKey({ tenantId, sourceId, generation }: LiveSource): string {
  return `${tenantId}/${sourceId}/${generation}`;
}

/**
 * Assembles a generation from its opened segments, in the order of its packs.
 * @throws Error if one does not belong to it.
 */
export function loadedGeneration(
  record: GenerationRecord,
  segments: readonly Segment[],
): LoadedGeneration {
  const source = sourceOf(record);
  const views = record.packs.map((pack, index): SegmentView => {
    const segment = segments[index] as Segment;
    checkBelongs(segment.tables.meta, segment.hash, record, pack.chunks);
    const dropped = decodeDropped(pack.dropped, pack.chunks);
    const { tables } = segment;
    let liveLength = tables.meta.total_length;
    if (dropped) {
      tables.lengths.forEach((length, chunk) => {
        if (isDropped(dropped, chunk)) liveLength -= length;
      });
    }
    const liveChunks = tables.chunkCount - countDropped(dropped);
    return { source, embedderId: record.embedder.id, segment, dropped, liveChunks, liveLength };
  });
  return { source, record, views };
}

/**
 * @throws Error if a pack is not of the record's source, analyzer and model, or of another size.
 */
export function checkBelongs(
  meta: PackMeta,
  hash: string,
  record: GenerationRecord,
  chunks: number,
): void {
  const fits =
    meta.tenant_id === record.tenant_id &&
    meta.source_id === record.source_id &&
    meta.analyzer === record.analyzer &&
    meta.embedder.id === record.embedder.id &&
    meta.embedder.dimensions === record.embedder.dimensions &&
    meta.chunks === chunks;
  if (!fits)
    throw new Error(
      `pack ${hash} does not belong to generation ${record.generation} of the source of its manifest`,
    );
}
