import type { SharedMemory } from '#retrieval/wasm-functions';

import { lowerBound } from '../pack/sorted-tables.js';
import { chunksOf } from './chunk-reader.js';
import { type PostingRange, QueryTerms } from './scan/query-terms.js';
import { type QueryVectors, vectorOf } from './scan/search-slice.js';
import { wholeView } from './scan/searched-view.js';
import { productWith } from './scan/vector-product.js';
import {
  type GenerationLookups,
  lookupsOf,
  SegmentCandidate,
} from './searchers/segment-candidate.js';
import type { SegmentView } from './store/loaded-generation.js';

/** Collects the chunks of files with the values of one query. */
export class FileChunks {
  private readonly lookup: QueryTerms;
  private readonly candidates: SegmentCandidate[] = [];
  private readonly shared = new Map<SegmentView, Shared>();
  /** The frequencies of a chunk without any of the terms. */
  private readonly noTerms: readonly number[];

  /** @param limit most chunks of one file */
  constructor(
    private readonly memory: SharedMemory,
    terms: readonly string[],
    private readonly vectors: QueryVectors,
    private readonly limit: number,
  ) {
    this.lookup = new QueryTerms(terms);
    this.noTerms = terms.map(() => 0);
  }

  /** Adds the chunks of a file; its packs may each have some. */
  add(views: readonly SegmentView[], path: string): void {
    for (const { view, chunk } of chunksOf(views, path).slice(0, this.limit))
      this.candidates.push(this.candidate(view, chunk));
  }

  /** Returns what was added, ordered by id. */
  sorted(): readonly SegmentCandidate[] {
    return this.candidates.sort((a, b) => a.compareId(b));
  }

  /** Returns one chunk of a view with the values of the query. */
  candidate(view: SegmentView, chunk: number): SegmentCandidate {
    const { segment } = view;
    let shared = this.shared.get(view);
    if (!shared) this.shared.set(view, (shared = this.sharedOf(view)));
    const { lookups, vector } = shared;
    const cosine = vector
      ? productWith(this.memory, segment, chunk, vector.q) *
        (segment.tables.scales[chunk] as number) *
        vector.scale
      : 0;
    return new SegmentCandidate(lookups, chunk, cosine, this.frequencies(view, chunk, shared));
  }

  private frequencies({ segment }: SegmentView, chunk: number, shared: Shared): readonly number[] {
    const { postingChunks, postingFrequencies } = segment.tables;
    const { postings, places, lastChunk } = shared;
    shared.lastChunk = chunk;
    let frequencies: number[] | undefined;
    for (let term = 0; term < postings.length; term += 1) {
      const { from, to } = postings[term] as PostingRange;
      const last = places[term] as number;
      // Each posting has a chunk of its own, so its place moves no further than the chunk.
      const at =
        chunk >= lastChunk
          ? lowerBound(postingChunks, chunk, last, Math.min(to, last + chunk - lastChunk))
          : lowerBound(postingChunks, chunk, from, to);
      places[term] = at;
      if (at === to || postingChunks[at] !== chunk) continue;
      frequencies ??= [...this.noTerms];
      frequencies[term] = postingFrequencies[at] as number;
    }
    return frequencies ?? this.noTerms;
  }

  private sharedOf(view: SegmentView): Shared {
    const vector = vectorOf(view, this.vectors);
    const postings = this.lookup.postingsOf(wholeView(view));
    return {
      lookups: lookupsOf(view, vector && view.embedderId),
      vector,
      postings,
      places: postings.map(({ from }) => from),
      lastChunk: Infinity,
    };
  }
}

/** Values that the chunks of one view share. */
interface Shared {
  readonly lookups: GenerationLookups;
  readonly vector: ReturnType<typeof vectorOf>;
  readonly postings: readonly PostingRange[];
  /** The last chunk whose terms were read, and each term's first posting from that chunk on. */
  readonly places: number[];
  lastChunk: number;
}
