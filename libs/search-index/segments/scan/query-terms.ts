import { type DroppedBitmap, isDropped } from '../../pack/dropped-bitmap.js';
import { lowerBound } from '../../pack/sorted-tables.js';
import type { Candidates } from '../../search-index.port.js';
import type { Corpus } from './corpus-cache.js';
import { ListedWords } from './listed-words.js';
import type { ScanPace, Steps } from './scan-pace.js';
import type { ListedRanges, SearchScope } from './search-scope.js';
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

/** Words of a query in a pack that a directory lists. */
export interface ListedPack {
  readonly words: ListedWords;
  readonly slot: number;
}

/** Ranges of one directory with the words of the query in it. */
export interface ReadRanges extends ListedRanges {
  readonly words: ListedWords;
}

interface DividedByWords {
  readonly read: readonly ReadRanges[];
  readonly others: readonly ViewRange[];
}

/**
 * Looks up the query's terms and identifiers: where a directory lists many of the segments, once
 * in the directory, otherwise once per segment. Both return the same.
 */
export class QueryTerms {
  /** By segment that is not read from a directory. */
  private readonly ranges = new Map<SearchedSegment, readonly PostingRange[]>();
  private readonly words = new Map<WordDirectory, ListedWords>();

  /** @param directories of the calling thread; default: none. */
  constructor(
    private readonly terms: readonly string[],
    private readonly identifiers: readonly string[] = [],
    private readonly directories = new WordDirectories(),
  ) {}

  /** Reads the directories that list many of the ranges. */
  *prepare(scope: SearchScope, pace: ScanPace): Steps<void> {
    for (const { directory, slots } of scope.dividedBy(this.directories).listed) {
      if (this.words.has(directory) || !isWorthReading(directory, slots.length)) continue;
      const words = new ListedWords(directory, this.terms, this.identifiers);
      this.words.set(directory, words);
      pace.spend(UNITS_A_VISIT * words.visited);
      if (pace.isDue) yield;
    }
  }

  /** Divides a scope into ranges whose directory was read, and those that are looked up. */
  divide(scope: SearchScope): DividedByWords {
    const { listed, others } = scope.dividedBy(this.directories);
    const read: ReadRanges[] = [];
    const unread: ViewRange[] = [];
    for (const group of listed) {
      const words = this.words.get(group.directory);
      // Packs that were listed since are looked up.
      if (words && words.additions >= group.additions) read.push({ ...group, words });
      else for (const slot of group.slots) unread.push(group.bySlot[slot] as ViewRange);
    }
    return { read, others: [...unread, ...others] };
  }

  /** Returns the words of a segment whose directory was read, if it was. */
  listed(segment: SearchedSegment): ListedPack | undefined {
    const listing = this.directories.listingOf(segment);
    const words = listing && this.words.get(listing.directory);
    // A pack that was listed since is looked up.
    const isRead = words && words.additions >= listing.addition;
    return isRead ? { words, slot: listing.slot } : undefined;
  }

  /** Returns one range of the segment's postings per term, in the query's order. */
  private lookUp(segment: SearchedSegment): readonly PostingRange[] {
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

  /** Returns the chunks of a segment that define an identifier, one list for each that has some. */
  definersIn(segment: SearchedSegment): readonly Uint32Array[] {
    return this.identifiers
      .map((name) => segment.tables.definers(name))
      .filter(({ length }) => length > 0);
  }

  /** Returns the ranges restricted to the chunks of a view range. */
  postingsOf({ view: { segment }, from, to }: ViewRange): readonly PostingRange[] {
    const whole = this.lookUp(segment);
    const { postingChunks, chunkCount } = segment.tables;
    if (from === 0 && to === chunkCount) return whole;
    return whole.map((postings) => ({
      from: lowerBound(postingChunks, from, postings.from, postings.to),
      to: lowerBound(postingChunks, to, postings.from, postings.to),
    }));
  }

  /** Counts the live chunks of a view that contain each term. */
  *frequenciesIn(view: SearchedView, pace: ScanPace): Steps<readonly number[]> {
    const listed = this.listed(view.segment);
    if (listed)
      return this.terms.map((_, term) => listed.words.frequency(term, listed.slot, view.dropped));
    const { postingChunks } = view.segment.tables;
    const counts: number[] = [];
    for (const { from, to } of this.lookUp(view.segment)) {
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

/** Returns whether reading a directory takes less time than a lookup in some of its packs. */
function isWorthReading(directory: WordDirectory, packs: number): boolean {
  return packs * UNITS_A_LOOKUP >= directory.size * UNITS_A_VISIT;
}

/** Computes N, average length and document frequencies over the live chunks of a corpus. */
export function* corpusStatistics(
  corpus: Corpus,
  terms: readonly string[],
  lookup: QueryTerms,
  pace: ScanPace,
): Steps<Candidates['statistics']> {
  const { chunks, length } = corpus;
  const known = terms.flatMap((term) => corpus.frequency(term) ?? []);
  const isKnown = known.length === terms.length;
  const documentFrequencies = isKnown
    ? known
    : yield* countFrequencies(corpus, terms, lookup, pace);
  if (!isKnown) {
    for (const [at, term] of terms.entries()) corpus.keep(term, documentFrequencies[at] as number);
  }
  return { chunks, averageLength: chunks === 0 ? 0 : length / chunks, documentFrequencies };
}

function* countFrequencies(
  { views, whole }: Corpus,
  terms: readonly string[],
  lookup: QueryTerms,
  pace: ScanPace,
): Steps<number[]> {
  yield* lookup.prepare(whole, pace);
  const frequencies = terms.map(() => 0);
  for (const view of views) {
    pace.spend(UNITS_A_VISIT * terms.length);
    if (pace.isDue) yield;
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
