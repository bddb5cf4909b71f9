import type { QuantizedVector } from '#retrieval';

import { lowerBound } from '../../pack/sorted-tables.js';
import type { RangeEntries } from './found-chunks.js';
import { type FoundSlice, RETRIEVERS } from './found-slice.js';
import type { PostingRange, QueryTerms } from './query-terms.js';
import { signedVectorsOf, type ViewRange } from './searched-view.js';
import type { SignatureScratch } from './signature-scratch.js';
import { BLOCK_VECTORS } from './vector-blocks.js';

/** Finds each chunk's frequencies; in its pack by a search from the previous chunk on. */
export function fillFrequencies(
  range: ViewRange,
  { chunks, places }: RangeEntries,
  terms: number,
  lookup: QueryTerms,
  { frequencies }: FoundSlice,
): void {
  const listed = lookup.listed(range.view.segment);
  if (listed) {
    const { words, slot } = listed;
    for (let entry = 0; entry < chunks.length; entry += 1) {
      const [chunk, at] = [chunks[entry] as number, (places[entry] as number) * terms];
      for (let term = 0; term < terms; term += 1)
        frequencies[at + term] = words.frequencyIn(term, slot, chunk);
    }
    return;
  }
  const { postingChunks, postingFrequencies } = range.view.segment.tables;
  const postings = lookup.postingsOf(range);
  for (let term = 0; term < postings.length; term += 1) {
    const { from, to } = postings[term] as PostingRange;
    let posting = from;
    for (let entry = 0; entry < chunks.length && posting < to; entry += 1) {
      const chunk = chunks[entry] as number;
      posting = lowerBound(postingChunks, chunk, posting, to);
      if (posting < to && postingChunks[posting] === chunk)
        frequencies[(places[entry] as number) * terms + term] = postingFrequencies[
          posting
        ] as number;
    }
  }
}

/** Returns the products of chunks, of all that were computed. */
export function productsIn(
  { from }: ViewRange,
  chunks: Uint32Array,
  products: Int32Array,
): Int32Array {
  return Int32Array.from(chunks, (chunk) => products[chunk - from] as number);
}

/** Computes the products of chunks, which some retriever found. */
export function signedProducts(
  { view }: ViewRange,
  chunks: Uint32Array,
  { q }: QuantizedVector,
  scratch: SignatureScratch,
): Int32Array {
  const vectors = signedVectorsOf(view.segment);
  const products = new Int32Array(chunks.length);
  for (let first = 0; first < chunks.length; first += BLOCK_VECTORS) {
    const block = chunks.subarray(first, first + BLOCK_VECTORS);
    products.set(scratch.multiply(q, vectors, 0, block), first);
  }
  return products;
}

/**
 * Finds each chunk's cosine: the score by which it was found, or that of its product.
 * @param productsOf returns the products of other chunks.
 */
export function fillCosines(
  { view }: ViewRange,
  { chunks, places }: RangeEntries,
  vector: QuantizedVector,
  { cosines, scores }: FoundSlice,
  productsOf: (chunks: Uint32Array) => Int32Array,
): void {
  const others: number[] = [];
  for (let entry = 0; entry < chunks.length; entry += 1) {
    const place = places[entry] as number;
    const score = scores[(place + 1) * RETRIEVERS.length - 1] as number;
    if (Number.isNaN(score)) others.push(entry);
    else cosines[place] = score;
  }
  const { scales } = view.segment.tables;
  const missing = Uint32Array.from(others, (entry) => chunks[entry] as number);
  const products = productsOf(missing);
  for (let at = 0; at < others.length; at += 1) {
    const scale = scales[missing[at] as number] as number;
    const place = places[others[at] as number] as number;
    cosines[place] = (products[at] as number) * scale * vector.scale;
  }
}
