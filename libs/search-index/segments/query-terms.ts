import { isDropped } from '../pack/dropped-bitmap.js';
import type { SearchedSegment, SearchedView } from './searched-view.js';

/** Where the postings of a query term lie in a segment; empty when it has none. */
export interface PostingRange {
  readonly from: number;
  readonly to: number;
}

/** Looks the query's terms up, once a segment. */
export class QueryTerms {
  private readonly ranges = new Map<SearchedSegment, readonly PostingRange[]>();

  constructor(private readonly terms: readonly string[]) {}

  /** One range a term, in the query's order. */
  rangesIn(segment: SearchedSegment): readonly PostingRange[] {
    const known = this.ranges.get(segment);
    if (known) return known;
    const { terms, postingOffsets } = segment.tables;
    const ranges = this.terms.map((term): PostingRange => {
      const id = terms.find(term);
      if (id === -1) return { from: 0, to: 0 };
      return { from: postingOffsets[id] as number, to: postingOffsets[id + 1] as number };
    });
    this.ranges.set(segment, ranges);
    return ranges;
  }

  /** How many of a view's live chunks have each term. */
  frequenciesIn(view: SearchedView): readonly number[] {
    const { postingChunks } = view.segment.tables;
    return this.rangesIn(view.segment).map(({ from, to }) => {
      if (!view.dropped) return to - from;
      let count = 0;
      for (let at = from; at < to; at++) if (!isDropped(view.dropped, postingChunks[at] as number)) count++;
      return count;
    });
  }
}
