import { isDropped } from '../../pack/dropped-bitmap.js';
import { lowerBound } from '../../pack/sorted-tables.js';
import type { Candidates } from '../../search-index.port.js';
import type { SearchedSegment, SearchedView, ViewRange } from './searched-view.js';

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

  /** The same of the chunks of a range. */
  postingsOf({ view: { segment }, from, to }: ViewRange): readonly PostingRange[] {
    const whole = this.rangesIn(segment);
    const { postingChunks, chunkCount } = segment.tables;
    if (from === 0 && to === chunkCount) return whole;
    return whole.map((postings) => ({
      from: lowerBound(postingChunks, from, postings.from, postings.to),
      to: lowerBound(postingChunks, to, postings.from, postings.to),
    }));
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

/** N, average length and document frequencies over the live chunks of a corpus. */
export function corpusStatistics(
  corpus: readonly SearchedView[],
  terms: readonly string[],
  lookup: QueryTerms,
): Candidates['statistics'] {
  let chunks = 0;
  let length = 0;
  const documentFrequencies = terms.map(() => 0);
  for (const view of corpus) {
    chunks += view.liveChunks;
    length += view.liveLength;
    lookup.frequenciesIn(view).forEach((count, i) => {
      documentFrequencies[i] = (documentFrequencies[i] as number) + count;
    });
  }
  return { chunks, averageLength: chunks === 0 ? 0 : length / chunks, documentFrequencies };
}
