import { nthHighest } from './nth-highest.js';
import type { SearchedView } from './searched-view.js';

export interface FoundChunk {
  readonly view: SearchedView;
  readonly chunk: number;
  readonly score: number;
}

/** Chunks that are collected between two selections, as a multiple of the limit. */
const ROOM = 4;

/**
 * The best `limit` chunks so far. Equal scores prefer the smaller chunk id. Offered chunks are
 * collected in columns, and the best are selected once the columns are full.
 */
export class TopChunks {
  private readonly views: SearchedView[] = [];
  private columns: Columns | undefined;
  private count = 0;
  private least = -Infinity;
  /** Place of the last of the selected chunks, if there were more. */
  private last = -1;

  /** @param limit at least 1. */
  constructor(private readonly limit: number) {}

  /** Scores below this one need not be offered. */
  get threshold(): number {
    return this.least;
  }

  /** Number of the best chunks. */
  get size(): number {
    return Math.min(this.count, this.limit);
  }

  /** The lowest score of the best chunks; undefined if they are fewer than the limit. */
  get lowest(): number | undefined {
    if (this.count < this.limit) return undefined;
    let lowest = Infinity;
    this.each((_view, _chunk, score) => {
      lowest = Math.min(lowest, score);
    });
    return lowest;
  }

  /** @param idPrefix beginning of the chunk's id, where it is at hand; see `PackTables`. */
  offer(view: SearchedView, chunk: number, score: number, idPrefix = NaN): void {
    if (!(score >= this.least)) return;
    this.columns ??= columnsFor(ROOM * this.limit);
    if (this.count === this.columns.chunks.length) this.select(this.columns);
    const { chunks, scores, idPrefixes } = this.columns;
    const at = this.count;
    this.views[at] = view;
    chunks[at] = chunk;
    scores[at] = score;
    idPrefixes[at] = idPrefix;
    if (score < this.least) return;
    // Of chunks with the score of the last selected one, only those before it can be selected.
    if (score === this.least && this.compareIds(at, this.last, this.columns) >= 0) return;
    this.count += 1;
  }

  /** Returns the chunks, unordered. */
  found(): readonly FoundChunk[] {
    const found: FoundChunk[] = [];
    this.each((view, chunk, score) => found.push({ view, chunk, score }));
    return found;
  }

  /** Calls a function for each of the chunks, unordered. */
  each(visit: (view: SearchedView, chunk: number, score: number) => void): void {
    if (!this.columns) return;
    const { chunks, scores } = this.columns;
    this.select(this.columns);
    for (let at = 0; at < this.count; at += 1)
      visit(this.views[at] as SearchedView, chunks[at] as number, scores[at] as number);
  }

  /** Keeps the best chunks alone, in the order in which they were offered. */
  private select(columns: Columns): void {
    if (this.count <= this.limit) return;
    const { chunks, scores, idPrefixes } = columns;
    this.least = nthHighest(scores.slice(0, this.count), this.limit);
    const tied: number[] = [];
    let higher = 0;
    for (let at = 0; at < this.count; at += 1) {
      if (scores[at] === this.least) tied.push(at);
      else if ((scores[at] as number) > this.least) higher += 1;
    }
    if (tied.length > 1) tied.sort((a, b) => this.compareIds(a, b, columns));
    const last = tied[this.limit - higher - 1];
    for (const at of tied.slice(this.limit - higher)) scores[at] = -Infinity;
    let kept = 0;
    for (let at = 0; at < this.count; at += 1) {
      const score = scores[at] as number;
      if (score < this.least) continue;
      if (at === last) this.last = kept;
      this.views[kept] = this.views[at] as SearchedView;
      chunks[kept] = chunks[at] as number;
      scores[kept] = score;
      idPrefixes[kept] = idPrefixes[at] as number;
      kept += 1;
    }
    this.count = kept;
  }

  private compareIds(a: number, b: number, columns: Columns): number {
    const difference = this.idPrefixOf(a, columns) - this.idPrefixOf(b, columns);
    if (difference !== 0) return difference;
    const { chunks } = columns;
    const other = (this.views[b] as SearchedView).segment.tables;
    const { tables } = (this.views[a] as SearchedView).segment;
    return tables.compareIds(chunks[a] as number, other, chunks[b] as number);
  }

  private idPrefixOf(at: number, { chunks, idPrefixes }: Columns): number {
    const known = idPrefixes[at] as number;
    if (!Number.isNaN(known)) return known;
    const { tables } = (this.views[at] as SearchedView).segment;
    return (idPrefixes[at] = tables.idPrefix(chunks[at] as number));
  }
}

/** The columns of the collected chunks, in addition to their views. */
interface Columns {
  readonly chunks: Uint32Array;
  readonly scores: Float64Array;
  /** The beginning of each chunk's id; NaN until it is known. */
  readonly idPrefixes: Float64Array;
}

function columnsFor(count: number): Columns {
  return {
    chunks: new Uint32Array(count),
    scores: new Float64Array(count),
    idPrefixes: new Float64Array(count),
  };
}
