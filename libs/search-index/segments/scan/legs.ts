import type { QuantisedVector } from '#retrieval';
import { BM25_B, BM25_K1, inverseDocumentFrequency } from '#retrieval/ranking/lexical-score';

import type { Candidates } from '../../search-index.port.js';
import { isDropped } from '../../pack/dropped-bitmap.js';
import type { QueryTerms } from './query-terms.js';
import { scannedVectors, type SearchedView, type ViewRange } from './searched-view.js';
import { TopChunks } from './top-chunks.js';
import type { VectorLane } from './vector-lane.js';

/** Memory that the searches of a thread use one after the other. */
export interface Scratch {
  /** A score a chunk of one segment; all zero between two segments. */
  scores: Float32Array;
  /** Chunks whose score is not zero. */
  touched: Uint32Array;
  /** Dot products of the query with the vectors of a scope. */
  products: Int32Array;
}

export function createScratch(): Scratch {
  return { scores: new Float32Array(), touched: new Uint32Array(), products: new Int32Array() };
}

export interface LexicalLegInput {
  readonly lookup: QueryTerms;
  readonly statistics: Candidates['statistics'];
  readonly limit: number;
  /** Names whose definers form the definition leg, which is ordered by the same score. */
  readonly identifiers: readonly string[];
  readonly accepts: (view: SearchedView, chunk: number) => boolean;
}

/** BM25, term at a time, over the scope; and with the same scores the chunks that define one of the identifiers. */
export function lexicalLeg(
  scope: readonly ViewRange[],
  scratch: Scratch,
  input: LexicalLegInput,
): { readonly byTerms: TopChunks; readonly byDefinition: TopChunks } {
  const byTerms = new TopChunks(input.limit);
  const byDefinition = new TopChunks(input.limit);
  for (const range of scope) {
    const { view } = range;
    grow(scratch, view.segment.tables.chunkCount);
    const touched = accumulate(range, scratch, input);
    let { threshold } = byTerms;
    for (let i = 0; i < touched; i++) {
      const chunk = scratch.touched[i] as number;
      const score = scratch.scores[chunk] as number;
      if (score < threshold || isDropped(view.dropped, chunk) || !input.accepts(view, chunk)) continue;
      byTerms.offer({ view, chunk, score });
      threshold = byTerms.threshold;
    }
    for (const chunk of definersOf(range, input.identifiers)) {
      if (isDropped(view.dropped, chunk) || !input.accepts(view, chunk)) continue;
      byDefinition.offer({ view, chunk, score: scratch.scores[chunk] as number });
    }
    for (let i = 0; i < touched; i++) scratch.scores[scratch.touched[i] as number] = 0;
  }
  return { byTerms, byDefinition };
}

/** Adds up every term's share. @returns how many chunks were touched. */
function accumulate(range: ViewRange, { scores, touched }: Scratch, { lookup, statistics }: LexicalLegInput): number {
  const { postingChunks, postingFrequencies, lengths } = range.view.segment.tables;
  const base = BM25_K1 * (1 - BM25_B);
  const slope = (BM25_K1 * BM25_B) / (statistics.averageLength || 1);
  let count = 0;
  lookup.postingsOf(range).forEach(({ from, to }, term) => {
    if (from === to) return;
    const idf = inverseDocumentFrequency(statistics.chunks, statistics.documentFrequencies[term] as number);
    for (let at = from; at < to; at++) {
      const chunk = postingChunks[at] as number;
      const frequency = postingFrequencies[at] as number;
      const before = scores[chunk] as number;
      if (before === 0) touched[count++] = chunk;
      scores[chunk] = before + (idf * frequency) / (frequency + base + slope * (lengths[chunk] as number));
    }
  });
  return count;
}

function definersOf({ view, from, to }: ViewRange, identifiers: readonly string[]): Set<number> {
  const chunks = new Set<number>();
  for (const name of identifiers) {
    for (const chunk of view.segment.tables.definers(name)) if (chunk >= from && chunk < to) chunks.add(chunk);
  }
  return chunks;
}

function grow(scratch: Scratch, chunks: number): void {
  if (scratch.scores.length >= chunks) return;
  scratch.scores = new Float32Array(chunks);
  scratch.touched = new Uint32Array(chunks);
}

/**
 * Exact scan of the scope's vectors for the highest cosine; the query must be set in the lane. Cosines of 0 and below are
 * not offered.
 *
 * @param productsOf takes the dot products of a range's chunks.
 */
export function vectorLeg(
  scope: readonly ViewRange[],
  lane: VectorLane,
  query: QuantisedVector,
  limit: number,
  productsOf: (range: ViewRange) => Int32Array,
  accepts: (view: SearchedView, chunk: number) => boolean,
): TopChunks {
  const top = new TopChunks(limit);
  for (const range of scope) {
    const { view, from, to } = range;
    const { scales } = view.segment.tables;
    const products = productsOf(range);
    const least = (): number => top.threshold / query.scale;
    lane.scan(scannedVectors(view.segment, from, to), products, least, (index) => {
      const chunk = from + index;
      const score = (products[index] as number) * (scales[chunk] as number) * query.scale;
      if (score < top.threshold || isDropped(view.dropped, chunk) || !accepts(view, chunk)) return;
      top.offer({ view, chunk, score });
    });
  }
  return top;
}
