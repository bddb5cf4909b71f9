import type { AnalyzedPart } from './analyzed-part.js';
import { buildPack, type BuiltPack } from './build-pack.js';
import { type DroppedBitmap, isDropped } from './dropped-bitmap.js';
import type { Pack } from './read-pack.js';

/** A pack and its dropped chunks. */
export interface PackSurvivors {
  readonly pack: Pack;
  readonly dropped?: DroppedBitmap | undefined;
}

/**
 * Merges the remaining chunks of several packs of one source into one pack. Nothing is analyzed or
 * embedded again. The result is byte for byte the pack of indexing these chunks together.
 *
 * @throws RangeError if the packs are of different sources, analyzers or embedders, or there is
 * none.
 */
export function mergePacks(survivors: readonly PackSurvivors[]): BuiltPack {
  const first = survivors[0]?.pack.meta;
  if (!first) throw new RangeError('packs must not be empty');
  for (const { pack } of survivors) {
    if (pack.meta.tenant_id !== first.tenant_id || pack.meta.source_id !== first.source_id) {
      throw new RangeError('packs must be of the same source');
    }
  }
  return buildPack(survivors.map(asPart), first);
}

function asPart({ pack, dropped }: PackSurvivors): AnalyzedPart {
  const { tables, vectors, meta } = pack;
  const kept = Array.from({ length: tables.chunkCount }, (_, chunk) => chunk).filter(
    (chunk) => !isDropped(dropped, chunk),
  );
  const forward = pack.forwardTerms();
  const termOffsets = new Uint32Array(kept.length + 1);
  kept.forEach((chunk, i) => {
    termOffsets[i + 1] =
      (termOffsets[i] as number) +
      (forward.offsets[chunk + 1] as number) -
      (forward.offsets[chunk] as number);
  });
  const termIds = new Uint32Array(termOffsets[kept.length] as number);
  const frequencies = new Uint8Array(termIds.length);
  const { dimensions } = meta.embedder;
  const values = new Int8Array(kept.length * dimensions);
  kept.forEach((chunk, i) => {
    const [from, to] = [forward.offsets[chunk], forward.offsets[chunk + 1]];
    termIds.set(forward.termIds.subarray(from, to), termOffsets[i]);
    frequencies.set(forward.frequencies.subarray(from, to), termOffsets[i]);
    values.set(vectors.subarray(chunk * dimensions, (chunk + 1) * dimensions), i * dimensions);
  });
  return {
    analyzer: meta.analyzer,
    chunks: kept.map((chunk) => pack.record(chunk)),
    terms: Array.from({ length: tables.terms.size }, (_, id) => tables.terms.at(id)),
    termOffsets,
    termIds,
    frequencies,
    lengths: Uint32Array.from(kept, (chunk) => tables.lengths[chunk] as number),
    vectors: {
      embedderId: meta.embedder.id,
      dimensions,
      values,
      scales: Float32Array.from(kept, (chunk) => tables.scales[chunk] as number),
    },
    textOf: (index) => pack.text(kept[index] as number),
  };
}
