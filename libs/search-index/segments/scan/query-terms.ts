import { type DroppedBitmap, isDropped } from '../../pack/dropped-bitmap.js';
import { lowerBound } from '../../pack/sorted-tables.js';
import type { Candidates } from '../../search-index.port.js';
import type { Corpus } from './corpus-cache.js';
import type { ScanPace, Steps } from './scan-pace.js';
import type { SearchedSegment, SearchedView, ViewRange } from './searched-view.js';
import { WordDirectories, type WordDirectory } from './word-directories.js';

/** Number of postings that a loop processes between two checks of the pace. */
export const BLOCK_POSTINGS = 65_536;
/** Work of finding a term in a segment, in nanoseconds. */
const UNITS_A_LOOKUP = 500;
/** Work of visiting one entry of a directory, in nanoseconds. */
const UNITS_A_VISIT = 20;

/** The range of a query term's postings in a segment; empty if there is none. */
export interface PostingRange {
  readonly from: number;
  readonly to: number;
}

const NO_POSTINGS: PostingRange = { from: 0, to: 0 };
const NO_DEFINERS: readonly Uint32Array[] = [];

/**
 * Looks up the query's terms and identifiers: where a directory lists many of the segments, once
 * in the directory, otherwise once per segment. Both return the same.
 */
export class QueryTerms {
  private readonly ranges = new Map<SearchedSegment, readonly PostingRange[]>();
  /** By segment: definers of the identifiers, in their order. */
  private readonly definers = new Map<SearchedSegment, readonly Uint32Array[]>();
  private readonly noRanges: readonly PostingRange[];

  /** @param directories of the calling thread; default: none. */
  constructor(
    private readonly terms: readonly string[],
    private readonly identifiers: readonly string[] = [],
    private readonly directories = new WordDirectories(),
  ) {
    this.noRanges = terms.map(() => NO_POSTINGS);
  }

  /**
   * Looks up the segments that a directory lists, if they are many. There is no pause in it, since
   * the directory may change in a pause.
   */
  *prepare(segments: ReadonlySet<SearchedSegment>, pace: ScanPace): Steps<void> {
    const unknown = [...segments].filter((segment) => !this.ranges.has(segment));
    for (const [directory, listed] of this.directories.group(unknown)) {
      if (directory && listed.length * UNITS_A_LOOKUP >= directory.size * UNITS_A_VISIT)
        pace.spend(UNITS_A_VISIT * this.readDirectory(directory, listed));
    }
    if (pace.isDue) yield;
  }

  /** @returns the number of visited entries. */
  private readDirectory(directory: WordDirectory, listed: readonly SearchedSegment[]): number {
    const bySlot: (SearchedSegment | undefined)[] = [];
    for (const segment of listed) {
      bySlot[directory.slot(segment) as number] = segment;
      this.ranges.set(segment, this.noRanges);
      this.definers.set(segment, NO_DEFINERS);
    }
    let visited = listed.length;
    this.terms.forEach((term, at) => {
      visited += directory.terms.visit(term, (slot, id) => {
        const segment = bySlot[slot];
        if (!segment) return;
        let ranges = this.ranges.get(segment) as PostingRange[];
        if (ranges === this.noRanges) this.ranges.set(segment, (ranges = [...this.noRanges]));
        ranges[at] = rangeOf(segment, id);
      });
    });
    for (const name of this.identifiers) {
      visited += directory.names.visit(name, (slot, index) => {
        const segment = bySlot[slot];
        if (!segment) return;
        const known = this.definers.get(segment) as readonly Uint32Array[];
        this.definers.set(segment, [...known, segment.tables.definersAt(index)]);
      });
    }
    return visited;
  }

  /** Returns one range per term, in the query's order. */
  rangesIn(segment: SearchedSegment): readonly PostingRange[] {
    const known = this.ranges.get(segment);
    if (known) return known;
    const { terms } = segment.tables;
    const ranges = this.terms.map((term): PostingRange => {
      const id = terms.find(term);
      return id === -1 ? NO_POSTINGS : rangeOf(segment, id);
    });
    this.ranges.set(segment, ranges);
    return ranges;
  }

  /** Returns whether no chunk of a segment has one of the terms or defines an identifier. */
  isAbsentFrom(segment: SearchedSegment): boolean {
    return this.ranges.get(segment) === this.noRanges && this.definers.get(segment) === NO_DEFINERS;
  }

  /** Returns the chunks of a segment that define an identifier, one list for each that has some. */
  definersIn(segment: SearchedSegment): readonly Uint32Array[] {
    const known = this.definers.get(segment);
    if (known) return known;
    const definers = this.identifiers
      .map((name) => segment.tables.definers(name))
      .filter(({ length }) => length > 0);
    this.definers.set(segment, definers);
    return definers;
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
  corpus: Corpus,
  terms: readonly string[],
  lookup: QueryTerms,
  pace: ScanPace,
): Steps<Candidates['statistics']> {
  const { views, chunks, length } = corpus;
  pace.spend(views.length);
  const known = terms.flatMap((term) => corpus.frequency(term) ?? []);
  const isKnown = known.length === terms.length;
  const documentFrequencies = isKnown ? known : yield* countFrequencies(views, terms, lookup, pace);
  if (!isKnown) {
    for (const [at, term] of terms.entries()) corpus.keep(term, documentFrequencies[at] as number);
  }
  return { chunks, averageLength: chunks === 0 ? 0 : length / chunks, documentFrequencies };
}

function* countFrequencies(
  views: readonly SearchedView[],
  terms: readonly string[],
  lookup: QueryTerms,
  pace: ScanPace,
): Steps<number[]> {
  yield* lookup.prepare(new Set(views.map(({ segment }) => segment)), pace);
  const frequencies = terms.map(() => 0);
  for (const view of views) {
    pace.spend(UNITS_A_VISIT);
    if (pace.isDue) yield;
    if (lookup.isAbsentFrom(view.segment)) continue;
    const counts = yield* lookup.frequenciesIn(view, pace);
    counts.forEach((count, at) => {
      frequencies[at] = (frequencies[at] as number) + count;
    });
  }
  return frequencies;
}

function rangeOf({ tables: { postingOffsets } }: SearchedSegment, term: number): PostingRange {
  return { from: postingOffsets[term] as number, to: postingOffsets[term + 1] as number };
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
