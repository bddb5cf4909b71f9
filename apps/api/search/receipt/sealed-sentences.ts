import type { SearchableSource, UsedSentences } from '#search';

/** Sentence vectors of a search in its receipt: numbers alone, so that a replay is exact. */
export interface SealedSentences {
  readonly encoder: string;
  /** Base64 of the vector, one byte a dimension. */
  readonly vector: string;
  readonly scale: number;
  /** Base64 of one bit for each source of the moment, ordered by id: whether it was compared. */
  readonly sources: string;
}

type Sources = readonly Pick<SearchableSource, 'sourceId'>[];

/** Returns the form for a receipt. */
export function sealedSentences(
  { encoder, vector: { q, scale }, sourceIds }: UsedSentences,
  sources: Sources,
): SealedSentences {
  const compared = new Set(sourceIds);
  const ids = ordered(sources);
  const bits = new Uint8Array(Math.ceil(ids.length / 8));
  for (const [at, id] of ids.entries())
    if (compared.has(id)) bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
  return {
    encoder,
    vector: Buffer.from(q.buffer, q.byteOffset, q.length).toString('base64'),
    scale,
    sources: Buffer.from(bits).toString('base64'),
  };
}

/** @param sources of the moment that the receipt names. */
export function openSentences(sealed: SealedSentences, sources: Sources): UsedSentences {
  const bits = Buffer.from(sealed.sources, 'base64');
  const q = Int8Array.from(Buffer.from(sealed.vector, 'base64'), (byte) => (byte << 24) >> 24);
  return {
    encoder: sealed.encoder,
    vector: { q, scale: sealed.scale },
    sourceIds: ordered(sources).filter((_, at) => ((bits[at >> 3] ?? 0) >> (at & 7)) & 1),
  };
}

function ordered(sources: Sources): string[] {
  return sources.map(({ sourceId }) => sourceId).sort();
}
