import type { Manifest, ManifestDocument, ManifestPack } from '#contracts';
import { ANALYZER_ID } from '#retrieval';
import { type BuiltPack, encodeDropped } from '#search-index';

import type { SourceListing } from '../artifacts/source-listing.js';
import type { PackPlan } from './plan-packs.js';
import type { StageContext } from './stage.types.js';

/** A pack as it lies in the blob store. */
export type WrittenPack = BuiltPack & { readonly hash: string };

interface Place {
  readonly pack: number;
  readonly first: number;
  readonly chunks: number;
}

/** The manifest of the new generation. Packs of which nothing is left are not named any more. */
export function manifestOf(
  { tenantId, job, embedder }: StageContext,
  listing: SourceListing,
  base: Manifest | null,
  plan: PackPlan,
  written: WrittenPack | null,
): Manifest {
  const kept = plan.keeps && !plan.merge ? survivingPacks(plan) : [];
  const packs = [...kept.map(({ pack }) => pack), ...(written ? [packOf(written)] : [])];
  const places = placesOf(listing, base, kept, written);
  const documents = listing.documents.map(
    ({ path, version, etag, last_modified, missed, skipped }): ManifestDocument => {
      const place = places.get(path);
      return {
        path,
        version,
        ...(etag !== undefined && { etag }),
        ...(last_modified !== undefined && { last_modified }),
        ...(missed && { missed }),
        ...(skipped !== undefined && { skipped }),
        ...(place ?? { chunks: 0 }),
      };
    },
  );
  return {
    format: 1,
    tenant_id: tenantId,
    source_id: job.source_id,
    generation: job.generation,
    version_ref: listing.version_ref,
    recipe: listing.recipe,
    analyzer: ANALYZER_ID,
    embedder: { id: embedder.id, dimensions: embedder.dimensions },
    documents,
    packs,
    file_count: documents.filter(({ skipped }) => skipped === undefined).length,
    chunk_count: packs.reduce((sum, pack) => sum + pack.chunks - pack.dropped_count, 0),
  };
}

interface KeptPack {
  readonly pack: ManifestPack;
  /** Its place among the base's packs. */
  readonly before: number;
}

function survivingPacks({ packs }: PackPlan): readonly KeptPack[] {
  return packs.flatMap(({ pack, dropped, droppedCount }, before) => {
    if (droppedCount >= pack.chunks) return [];
    const { hash, chunks, bytes } = pack;
    const bitmap = dropped && droppedCount > 0 ? { dropped: encodeDropped(dropped) } : {};
    return [
      {
        pack: {
          hash,
          chunks,
          ...bitmap,
          dropped_count: droppedCount,
          ...(bytes !== undefined && { bytes }),
        },
        before,
      },
    ];
  });
}

function packOf({ hash, chunkCount, bytes }: WrittenPack): ManifestPack {
  return { hash, chunks: chunkCount, dropped_count: 0, bytes: bytes.byteLength };
}

/**
 * Returns the location of each document's chunks. Reused documents stay where they were; all others
 * are in the new pack, which is the last.
 */
function placesOf(
  listing: SourceListing,
  base: Manifest | null,
  kept: readonly KeptPack[],
  written: WrittenPack | null,
): ReadonlyMap<string, Place> {
  const stays = new Set(
    listing.documents.filter((document) => document.kept).map(({ path }) => path),
  );
  const now = new Map(kept.map(({ before }, index) => [before, index]));
  const places = new Map<string, Place>();
  for (const { path, pack, first, chunks } of base?.documents ?? []) {
    const index = pack === undefined || !stays.has(path) ? undefined : now.get(pack);
    if (index !== undefined && first !== undefined)
      places.set(path, { pack: index, first, chunks });
  }
  for (const { path, first, chunks } of written?.documents ?? []) {
    places.set(path, { pack: kept.length, first, chunks });
  }
  return places;
}
