import { type DroppedBitmap, isDropped } from '../../pack/dropped-bitmap.js';
import { lowerBound } from '../../pack/sorted-tables.js';
import type { Candidates } from '../../search-index.port.js';
import type { ScanPace, Steps } from './scan-pace.js';
import type { SearchedSegment, SearchedView, ViewRange } from './searched-view.js';

/** Number of postings that a loop processes between two checks of the pace. */
export const BLOCK_POSTINGS = 65_536;
/** Work of finding a term in a segment, in nanoseconds. */
const UNITS_A_LOOKUP = 500;

/** The range of a query term's postings in a segment; empty if there is none. */
export interface PostingRange {
  readonly from: number;
  readonly to: number;
}

/** Looks up the query's terms, once per segment. */
export class QueryTerms {
  private readonly ranges = new Map<SearchedSegment, readonly PostingRange[]>();

  constructor(private readonly terms: readonly string[]) {}

  /** Returns one range per term, in the query's order. */
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

  /** Returns the ranges restricted to the chunks of a view range. */
  postingsOf({ view: { segment }, from, to }: ViewRange): readonly PostingRange[] {
    const whole = this.rangesIn(segment);
    const { postingChunks, chunkCount } = segment.tables;
    if (from === 0 && to === chunkCount) return whole;
    return whole.map((postings) => ({
      from: lowerBound(postingChunks, from, postings.from, postings.to),
      to: lowerBound(postingChunks, to, postings.from, postings.to),
    }));
  }

  /** Counts the live chunks of a view that contain each term. */
  *frequenciesIn(view: SearchedView, pace: ScanPace): Steps<readonly number[]> {
    const { postingChunks } = view.segment.tables;
    const counts: number[] = [];
    for (const { from, to } of this.rangesIn(view.segment)) {
      pace.spend(UNITS_A_LOOKUP);
      if (pace.isDue) yield;
      let count = to - from;
      if (view.dropped) {
        for (let at = from; at < to; at += BLOCK_POSTINGS) {
          const end = Math.min(to, at + BLOCK_POSTINGS);
          count -= droppedAmong(view.dropped, postingChunks, at, end);
          pace.spend(end - at);
          if (pace.isDue) yield;
        }
      }
      counts.push(count);
    }
    return counts;
  }
}

/** Computes N, average length and document frequencies over the live chunks of a corpus. */
export function* corpusStatistics(
  corpus: readonly SearchedView[],
  terms: readonly string[],
  lookup: QueryTerms,
  pace: ScanPace,
): Steps<Candidates['statistics']> {
  let chunks = 0;
  let length = 0;
  const documentFrequencies = terms.map(() => 0);
  for (const view of corpus) {
    chunks += view.liveChunks;
    length += view.liveLength;
    const counts = yield* lookup.frequenciesIn(view, pace);
    counts.forEach((count, i) => {
      documentFrequencies[i] = (documentFrequencies[i] as number) + count;
    });
  }
  return { chunks, averageLength: chunks === 0 ? 0 : length / chunks, documentFrequencies };
}

function droppedAmong(
  dropped: DroppedBitmap,
  postingChunks: Uint32Array,
  from: number,
  to: number,
): number {
  let count = 0;
  for (let at = from; at < to; at++) if (isDropped(dropped, postingChunks[at] as number)) count++;
  return count;
}
