import type { Candidates } from '../../search-index.port.js';
import { type FoundSlice, RETRIEVERS } from './found-slice.js';
import type { SearchScope } from './search-scope.js';
import type { SearchedView } from './searched-view.js';
import type { FoundChunk, TopChunks } from './top-chunks.js';

/** A found chunk with its values by retriever. */
export interface FoundEntry {
  /** Index of the range in the scope. */
  readonly range: number;
  readonly chunk: number;
  readonly tables: SearchedView['segment']['tables'];
  /** Orders ids, unless it is equal. */
  readonly idPrefix: number;
  readonly scores: [number, number, number];
  /** In the order of ids. */
  at: number;
}

/** Found chunks of one range. */
interface RangeEntries {
  readonly range: number;
  readonly byChunk: Map<number, FoundEntry>;
}

/** Collects what the retrievers found, each chunk once. */
export class FoundChunks {
  private readonly byRange = new Map<number, RangeEntries>();
  private readonly entries: FoundEntry[] = [];
  /** The view of the last found chunk, and its entries: most chunks have it too. */
  private lastView: SearchedView | undefined;
  private last: RangeEntries | undefined;

  constructor(private readonly scope: SearchScope) {}

  add(retriever: 0 | 1 | 2, top: TopChunks): void {
    for (const found of top.found()) this.entryOf(found).scores[retriever] = found.score;
  }

  /** Returns the indexes of the ranges with found chunks. */
  ranges(): Iterable<number> {
    return this.byRange.keys();
  }

  /** Returns the chunks found in one range, by chunk. */
  entriesOf(range: number): readonly FoundEntry[] {
    return [...(this.byRange.get(range)?.byChunk.values() ?? [])].sort((a, b) => a.chunk - b.chunk);
  }

  /** @returns columns whose cosines and frequencies are still to be filled. */
  asSlice(statistics: Candidates['statistics'], terms: number): FoundSlice {
    const entries = this.entries.sort(byId);
    const columns = {
      views: new Uint32Array(entries.length),
      chunks: new Uint32Array(entries.length),
      scores: new Float64Array(entries.length * RETRIEVERS.length),
    };
    for (let at = 0; at < entries.length; at += 1) {
      const entry = entries[at] as FoundEntry;
      entry.at = at;
      columns.views[at] = entry.range;
      columns.chunks[at] = entry.chunk;
      columns.scores.set(entry.scores, at * RETRIEVERS.length);
    }
    return {
      statistics,
      ...columns,
      cosines: new Float64Array(entries.length),
      frequencies: new Uint8Array(entries.length * terms),
    };
  }

  private entryOf({ view, chunk }: FoundChunk): FoundEntry {
    const { range, byChunk } = this.inView(view);
    const known = byChunk.get(chunk);
    if (known) return known;
    const { tables } = view.segment;
    const entry: FoundEntry = {
      range,
      chunk,
      tables,
      idPrefix: tables.idPrefix(chunk),
      scores: [NaN, NaN, NaN],
      at: 0,
    };
    byChunk.set(chunk, entry);
    this.entries.push(entry);
    return entry;
  }

  private inView(view: SearchedView): RangeEntries {
    if (this.last && view === this.lastView) return this.last;
    const range = this.scope.rangeOf.get(view) as number;
    let entries = this.byRange.get(range);
    if (!entries) this.byRange.set(range, (entries = { range, byChunk: new Map() }));
    [this.lastView, this.last] = [view, entries];
    return entries;
  }
}

/** Two views of one chunk are in the order of the scope, whichever was found first. */
function byId(a: FoundEntry, b: FoundEntry): number {
  // A difference of prefixes would be an object for each comparison.
  if (a.idPrefix !== b.idPrefix) return a.idPrefix < b.idPrefix ? -1 : 1;
  return a.tables.compareIds(a.chunk, b.tables, b.chunk) || a.range - b.range;
}
