import { createHash } from 'node:crypto';

import { Seeded } from '#distil/seeded';
import { uuidv5 } from '#platform';
import { quantize } from '#retrieval';
import type { AnalyzedPart, QuantizedVectors } from '#search-index/pack/analyzed-part';
import { buildPack, type BuiltPack } from '#search-index/pack/build-pack';
import type { Pack } from '#search-index/pack/read-pack';

/** Part of the difference of two other vectors that is added to each vector. */
const MIXED = 0.35;
/** Share of the postings that are left out. */
const LEFT_OUT = 0.15;
/** Change of the lengths, at most. */
const LENGTH_CHANGE = 0.2;

const NO_TEXT = new Uint8Array();

/**
 * Returns a pack of as many other chunks as a pack has. Each vector is x + 0.35 (y − z) of three
 * vectors of the pack, which keeps their mean and covariance. 15 % of the postings are left out.
 * Their frequencies differ by one at most, lengths by a fifth. The chunks have no text.
 * @param seed decides which vectors and postings change, and the ids.
 */
export function syntheticPack(pack: Pack, sourceId: string, seed: number): BuiltPack {
  const random = new Seeded(seed);
  const { meta, tables } = pack;
  const part: AnalyzedPart = {
    analyzer: meta.analyzer,
    chunks: Array.from({ length: meta.chunks }, (_, chunk) => {
      const record = pack.record(chunk);
      return {
        ...record,
        chunk_id: uuidv5('synthetic', String(seed), record.chunk_id),
        content_hash: createHash('sha256').update(`${seed} ${record.content_hash}`).digest('hex'),
      };
    }),
    terms: Array.from({ length: tables.terms.size }, (_, id) => tables.terms.at(id)),
    ...changedPostings(pack, random),
    lengths: Uint32Array.from(tables.lengths, (length) =>
      Math.max(1, Math.round(length * (1 + LENGTH_CHANGE * (2 * random.next() - 1)))),
    ),
    vectors: mixedVectors(pack, random),
    textOf: () => NO_TEXT,
  };
  return buildPack([part], { ...meta, source_id: sourceId });
}

function changedPostings(
  pack: Pack,
  random: Seeded,
): Pick<AnalyzedPart, 'termOffsets' | 'termIds' | 'frequencies'> {
  const { offsets, termIds, frequencies } = pack.forwardTerms();
  const kept = { offsets: new Uint32Array(offsets.length), ids: [] as number[] };
  const changed: number[] = [];
  for (let chunk = 0; chunk + 1 < offsets.length; chunk += 1) {
    const end = offsets[chunk + 1] as number;
    for (let at = offsets[chunk] as number; at < end; at += 1) {
      if (random.next() < LEFT_OUT) continue;
      kept.ids.push(termIds[at] as number);
      changed.push(Math.min(255, Math.max(1, (frequencies[at] as number) + random.below(3) - 1)));
    }
    kept.offsets[chunk + 1] = kept.ids.length;
  }
  return {
    termOffsets: kept.offsets,
    termIds: Uint32Array.from(kept.ids),
    frequencies: Uint8Array.from(changed),
  };
}

function mixedVectors({ meta, tables, vectors }: Pack, random: Seeded): QuantizedVectors {
  const { id: embedderId, dimensions } = meta.embedder;
  const values = new Int8Array(vectors.length);
  const scales = new Float32Array(meta.chunks);
  const mixed = new Float32Array(dimensions);
  for (let chunk = 0; chunk < meta.chunks; chunk += 1) {
    mixed.fill(0);
    const others = [
      [chunk, 1],
      [random.below(meta.chunks), MIXED],
      [random.below(meta.chunks), -MIXED],
    ] as const;
    for (const [other, weight] of others) {
      const scale = weight * (tables.scales[other] as number);
      const from = other * dimensions;
      for (let at = 0; at < dimensions; at += 1)
        mixed[at] = (mixed[at] as number) + scale * (vectors[from + at] as number);
    }
    const norm = Math.hypot(...mixed);
    const unit = norm > 0 ? mixed.map((value) => value / norm) : mixed;
    const { q, scale } = quantize(unit);
    values.set(q, chunk * dimensions);
    scales[chunk] = scale;
  }
  return { embedderId, dimensions, values, scales };
}
