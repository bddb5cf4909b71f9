import { type DroppedBitmap, isDropped } from '../../pack/dropped-bitmap.js';
import { lowerBound } from '../../pack/sorted-tables.js';
import { frequencyOf, leastPosting, placeOf } from './listed-postings.js';
import type { WordDirectory } from './word-directories.js';

const NO_DEFINERS: readonly Uint32Array[] = [];

/**
 * The packs of a directory that contain a query's terms and define its identifiers, read from it
 * once. It stays right for packs that are not removed, also when others are added and removed.
 */
export class ListedWords {
  /** Number of slots when it was read. */
  readonly width: number;
  /** Number of packs that were ever added to the directory by then. */
  readonly additions: number;
  /** By term and slot: one more than the entry of the term, or 0. */
  private readonly entries: Uint32Array;
  /** By slot, for packs that define an identifier: the chunks, one list per identifier. */
  private readonly definers = new Map<number, readonly Uint32Array[]>();
  /** Number of packs that were found, each once for every term and identifier. */
  readonly visited: number;

  constructor(
    readonly directory: WordDirectory,
    terms: readonly string[],
    identifiers: readonly string[],
  ) {
    const { postings } = directory;
    this.width = directory.width;
    this.additions = directory.additions;
    this.entries = new Uint32Array(terms.length * this.width);
    let visited = 0;
    terms.forEach((text, term) => {
      const first = term * this.width;
      visited += directory.terms.visit(text, (slot, index) => {
        this.entries[first + slot] = postings.entryOf(slot, index) + 1;
      });
    });
    for (const name of identifiers) {
      visited += directory.names.visit(name, (slot, index) => {
        const chunks = directory.segmentAt(slot).tables.definersAt(index);
        this.definers.set(slot, [...(this.definers.get(slot) ?? NO_DEFINERS), chunks]);
      });
    }
    this.visited = visited;
  }

  /** Returns the entries of a term by slot, each plus one; 0 for packs without it. */
  entriesOf(term: number): Uint32Array {
    return this.entries.subarray(term * this.width, (term + 1) * this.width);
  }

  /** Returns the slots of packs that define an identifier, with their chunks. */
  get defining(): Iterable<readonly [slot: number, lists: readonly Uint32Array[]]> {
    return this.definers;
  }

  /** Returns the weighted frequency of a term in a chunk of a pack. */
  frequencyIn(term: number, slot: number, chunk: number): number {
    const entry = this.entry(term, slot);
    if (entry === -1) return 0;
    const { starts, postings } = this.directory.postings;
    const place = this.directory.postings.firstPlace(slot) + chunk;
    const to = starts[entry + 1] as number;
    const at = lowerBound(postings, leastPosting(place), starts[entry] as number, to);
    const posting = at < to ? (postings[at] as number) : 0;
    return placeOf(posting) === place ? frequencyOf(posting) : 0;
  }

  /** Counts the live chunks of a pack with a term. */
  frequency(term: number, slot: number, dropped: DroppedBitmap | undefined): number {
    const entry = this.entry(term, slot);
    if (entry === -1) return 0;
    const { postings } = this.directory;
    const [from, to] = [postings.starts[entry] as number, postings.starts[entry + 1] as number];
    let count = to - from;
    if (!dropped) return count;
    const first = postings.firstPlace(slot);
    for (let at = from; at < to; at += 1)
      if (isDropped(dropped, placeOf(postings.postings[at] as number) - first)) count -= 1;
    return count;
  }

  /** Returns the entry of a term in a pack, or -1. */
  private entry(term: number, slot: number): number {
    return (this.entries[term * this.width + slot] as number) - 1;
  }
}
