import type { Manifest, ManifestPack } from '#contracts';
import { countDropped, decodeDropped, markDropped } from '#search-index';

import type { SourceListing } from '../artifacts/source-listing.js';

/**
 * At this many packs, or with this share of their chunks dropped, a sync writes one new pack
 * instead of one more.
 */
const MOST_PACKS = 8;
const MOST_DROPPED = 0.3;

export interface PlannedPack {
  readonly pack: ManifestPack;
  /** Bitmap of what the new generation no longer has; null when it has all. */
  readonly dropped: Uint8Array | null;
  readonly droppedCount: number;
  /** Chunk ranges of the documents that changed or were removed. */
  readonly affected: readonly { readonly first: number; readonly chunks: number }[];
}

/** The plan for the base's packs. */
export interface PackPlan {
  /** In the base's order. */
  readonly packs: readonly PlannedPack[];
  /** Everything that survives goes into the one new pack. */
  readonly merge: boolean;
  /**
   * True if the new generation still refers to the base's packs; false when everything was read
   * again.
   */
  readonly keeps: boolean;
}

/** Decides which chunks of the base are dropped and whether the packs are merged. Pure. */
export function planPacks(
  listing: Pick<SourceListing, 'base' | 'documents' | 'chunks'>,
  base: Manifest | null,
): PackPlan {
  if (base === null) return { packs: [], merge: false, keeps: false };
  const keeps = listing.base !== null;
  const kept = new Set(
    listing.documents.filter((document) => document.kept).map(({ path }) => path),
  );
  const affected = base.packs.map((): { first: number; chunks: number }[] => []);
  for (const { path, pack, first, chunks } of base.documents) {
    if (pack === undefined || first === undefined || kept.has(path)) continue;
    affected[pack]?.push({ first, chunks });
  }
  const packs = base.packs.map((pack, index) => plannedPack(pack, affected[index] ?? []));
  return { packs, keeps, merge: keeps && mustMerge(packs, listing.chunks) };
}

function plannedPack(
  pack: ManifestPack,
  affected: readonly { first: number; chunks: number }[],
): PlannedPack {
  const before = decodeDropped(pack.dropped, pack.chunks);
  const gone = affected.flatMap(({ first, chunks }) =>
    Array.from({ length: chunks }, (_, index) => first + index),
  );
  const dropped = before || gone.length > 0 ? markDropped(before, pack.chunks, gone) : null;
  return { pack, dropped, droppedCount: countDropped(dropped ?? undefined), affected };
}

function mustMerge(packs: readonly PlannedPack[], newChunks: number): boolean {
  const alive = packs.filter(({ pack, droppedCount }) => droppedCount < pack.chunks);
  const total = alive.reduce((sum, { pack }) => sum + pack.chunks, newChunks);
  const dropped = alive.reduce((sum, { droppedCount }) => sum + droppedCount, 0);
  return alive.length + (newChunks > 0 ? 1 : 0) > MOST_PACKS - 1 || dropped > total * MOST_DROPPED;
}
