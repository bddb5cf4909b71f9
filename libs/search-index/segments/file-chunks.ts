import type { SharedMemory } from '#retrieval/wasm-functions';

import { lowerBound } from '../pack/sorted-tables.js';
import { chunksOf } from './chunk-reader.js';
import { QueryTerms } from './scan/query-terms.js';
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

  /** @param limit most chunks of one file */
  constructor(
    private readonly memory: SharedMemory,
    terms: readonly string[],
    private readonly vectors: QueryVectors,
    private readonly limit: number,
  ) {
    this.lookup = new QueryTerms(terms);
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
    const { lookups, vector, postings } = shared;
    const cosine = vector
      ? productWith(this.memory, segment, chunk, vector.q) *
        (segment.tables.scales[chunk] as number) *
        vector.scale
      : 0;
    const { postingChunks, postingFrequencies } = segment.tables;
    const frequencies = postings.map(({ from, to }) => {
      const at = lowerBound(postingChunks, chunk, from, to);
      return at < to && postingChunks[at] === chunk ? (postingFrequencies[at] as number) : 0;
    });
    return new SegmentCandidate(lookups, chunk, frequencies, cosine);
  }

  private sharedOf(view: SegmentView): Shared {
    const vector = vectorOf(view, this.vectors);
    return {
      lookups: lookupsOf(view, vector && view.embedderId),
      vector,
      postings: this.lookup.postingsOf(wholeView(view)),
    };
  }
}

/** Values that the chunks of one view share. */
interface Shared {
  readonly lookups: GenerationLookups;
  readonly vector: ReturnType<typeof vectorOf>;
  readonly postings: ReturnType<QueryTerms['postingsOf']>;
}
