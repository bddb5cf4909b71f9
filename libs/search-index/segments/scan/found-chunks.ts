import type { Candidates } from '../../search-index.port.js';
import { type FoundSlice, RETRIEVERS } from './found-slice.js';
import type { SearchScope } from './search-scope.js';
import type { SearchedView, ViewRange } from './searched-view.js';
import { distinctIn, indexOfNumber } from './sorted-numbers.js';
import type { TopChunks } from './top-chunks.js';

/** Found chunks of one range, by chunk. */
export interface RangeEntries {
  /** Index of the range in the scope. */
  readonly range: number;
  readonly chunks: Uint32Array;
  /** The place of each chunk in the order of ids. */
  readonly places: Uint32Array;
}

/** Found chunks in the order of ids, and by range. */
interface OrderedChunks {
  /** Columns whose cosines and frequencies are still to be filled. */
  readonly slice: FoundSlice;
  readonly ranges: readonly RangeEntries[];
}

/** Chunks that one retriever found: the range and the chunk in one number, and the score. */
interface Found {
  readonly retriever: number;
  readonly keys: Float64Array;
  readonly scores: Float64Array;
}

const CHUNKS_OF_A_RANGE = 2 ** 32;
/** More than all found chunks: a sorted number has the beginning of an id and an entry. */
const MOST_ENTRIES = 2 ** 21;

/** Collects what the retrievers found, each chunk once. */
export class FoundChunks {
  private readonly found: Found[] = [];

  constructor(private readonly scope: SearchScope) {}

  add(retriever: 0 | 1 | 2, top: TopChunks): void {
    const { size } = top;
    const [keys, scores] = [new Float64Array(size), new Float64Array(size)];
    // Most chunks have the view of the one before.
    let last: SearchedView | undefined;
    let [first, count] = [0, 0];
    top.each((view, chunk, score) => {
      if (view !== last) first = (this.scope.rangeOf.get(view) as number) * CHUNKS_OF_A_RANGE;
      last = view;
      keys[count] = first + chunk;
      scores[count++] = score;
    });
    this.found.push({ retriever, keys, scores });
  }

  /** Orders the chunks by id, and by range. */
  ordered(statistics: Candidates['statistics'], terms: number): OrderedChunks {
    const keys = distinctIn(this.found.map((each) => each.keys));
    const count = keys.length;
    const [ranges, own] = [new Uint32Array(count), new Uint32Array(count)];
    for (let entry = 0; entry < count; entry += 1) {
      const key = keys[entry] as number;
      ranges[entry] = Math.floor(key / CHUNKS_OF_A_RANGE);
      own[entry] = key % CHUNKS_OF_A_RANGE;
    }
    const order = this.orderByIds(ranges, own);
    const [places, views, chunks] = [0, 0, 0].map(() => new Uint32Array(count)) as Columns;
    for (let place = 0; place < count; place += 1) {
      const entry = order[place] as number;
      places[entry] = place;
      views[place] = ranges[entry] as number;
      chunks[place] = own[entry] as number;
    }
    const scores = this.scoresBy(keys, places);
    const cosines = new Float64Array(count);
    const frequencies = new Uint8Array(count * terms);
    return {
      slice: { statistics, views, chunks, scores, cosines, frequencies },
      ranges: byRange(ranges, own, places),
    };
  }

  /** Returns entries in the order of ids. Two views of one chunk are in the order of the scope. */
  private orderByIds(ranges: Uint32Array, chunks: Uint32Array): Uint32Array {
    const count = chunks.length;
    if (count > MOST_ENTRIES) throw new RangeError(`${count} chunks were found`);
    const tablesOf = (entry: number) =>
      (this.scope.ranges[ranges[entry] as number] as ViewRange).view.segment.tables;
    // Numbers are sorted without a call for each comparison.
    const numbers = new Float64Array(count);
    for (let entry = 0; entry < count; entry += 1)
      numbers[entry] = tablesOf(entry).idPrefix(chunks[entry] as number) * MOST_ENTRIES + entry;
    numbers.sort();
    const order = new Uint32Array(count);
    for (let at = 0; at < count; at += 1) order[at] = (numbers[at] as number) % MOST_ENTRIES;
    const compare = (a: number, b: number): number =>
      tablesOf(a).compareIds(chunks[a] as number, tablesOf(b), chunks[b] as number) || a - b;
    const prefixAt = (at: number) => Math.floor((numbers[at] as number) / MOST_ENTRIES);
    for (let from = 0, to = 1; from < count; from = to++) {
      while (to < count && prefixAt(to) === prefixAt(from)) to += 1;
      if (to - from > 1) order.subarray(from, to).sort(compare);
    }
    return order;
  }

  private scoresBy(keys: Float64Array, places: Uint32Array): Float64Array {
    const scores = new Float64Array(keys.length * RETRIEVERS.length).fill(NaN);
    for (const found of this.found) {
      for (let at = 0; at < found.keys.length; at += 1) {
        const entry = indexOfNumber(keys, found.keys[at] as number);
        const place = places[entry] as number;
        scores[place * RETRIEVERS.length + found.retriever] = found.scores[at] as number;
      }
    }
    return scores;
  }
}

type Columns = [Uint32Array, Uint32Array, Uint32Array];

/** Divides entries, which are in the order of ranges and chunks. */
function byRange(
  ranges: Uint32Array,
  chunks: Uint32Array,
  places: Uint32Array,
): readonly RangeEntries[] {
  const divided: RangeEntries[] = [];
  for (let from = 0, to = 1; from < ranges.length; from = to++) {
    const range = ranges[from] as number;
    while (to < ranges.length && ranges[to] === range) to += 1;
    divided.push({ range, chunks: chunks.subarray(from, to), places: places.subarray(from, to) });
  }
  return divided;
}
